//! The guide is an mdBook in the folder `guide` of the repository: a page for each topic, with compiled examples.
//!
//! `bash .ci/guide` builds the book and this documentation, and checks the links between both.
//!
//! # Start
//!
//! - `introduction`, [Purpose of the crate](../../guide/start/introduction.html): ideas, suitable programs, limits
//! - `install`, [Install](../../guide/start/install.html): dependencies, features, requirements
//! - `quickstart`, [Quickstart](../../guide/start/quickstart.html): a first program
//! - `you_get`, [You write, you get](../../guide/start/you_get.html): the result of each attribute
//! - `overview`, [Tutorial](../../guide/tutorial/overview.html): the service of a bookshop in six chapters:
//!   `1_model`, [A model](../../guide/tutorial/1_model.html); `2_http`, [HTTP](../../guide/tutorial/2_http.html);
//!   `3_relation`, [A relation](../../guide/tutorial/3_relation.html);
//!   `4_query`, [A query](../../guide/tutorial/4_query.html);
//!   `5_copies`, [Copies and counters](../../guide/tutorial/5_copies.html);
//!   `6_deploy`, [A deploy](../../guide/tutorial/6_deploy.html)
//! - `coming_from`, [Coming from Mongoose, Beanie and sea-orm](../../guide/start/coming_from.html): the same calls in
//!   Mongoose, Beanie and sea-orm
//! - `from_driver`, [Coming from the plain driver](../../guide/start/from_driver.html): the driver's calls
//! - `from_mongoose`, [Coming from Mongoose](../../guide/start/from_mongoose.html)
//! - `from_beanie`, [Coming from Beanie](../../guide/start/from_beanie.html)
//! - `from_sea_orm`, [Coming from sea-orm](../../guide/start/from_sea_orm.html)
//! - `adopting`, [Adopting a collection](../../guide/start/adopting.html): documents of another program
//! - `leaving`, [Leaving again](../../guide/start/leaving.html): the stored fields that remain
//! - `faq`, [Questions](../../guide/start/faq.html): short answers
//!
//! # Tasks
//!
//! - `tasks`, [How do I ..](../../guide/guides/tasks.html): the tasks of an application, each with a page
//!
//! # Models
//!
//! - `model`, [Models](../../guide/guides/model.html): the attributes of a struct with a collection of its own
//! - `indexes_on_startup`, [Indexes on startup](../../guide/guides/indexes_on_startup.html): the collections,
//!   validators and indexes of a program that starts
//! - `enum_fields`, [Enum fields](../../guide/guides/enum_fields.html): values of a few names or shapes
//! - `dates`, [Dates with chrono and jiff](../../guide/guides/dates.html): points in time and days
//! - `decimals`, [Decimals](../../guide/guides/decimals.html): amounts of money
//! - `uuids`, [UUIDs as ids](../../guide/guides/uuids.html): ids in the order of time, ids from a text
//! - `dynamic_data`, [Dynamic data](../../guide/guides/dynamic_data.html): maps, documents of any form, unknown fields
//! - `timestamps`, [Timestamps](../../guide/guides/timestamps.html): the times of the insert and of the last write
//! - `optimistic_locking`, [Optimistic locking](../../guide/guides/optimistic_locking.html): versions of documents
//! - `soft_delete`, [Soft delete](../../guide/guides/soft_delete.html): a date marks a deleted document
//! - `changing_data`, [Changing stored data](../../guide/guides/changing_data.html): fields that get a value, another
//!   name or another type
//! - `embed`, [Embedded structs](../../guide/guides/embed.html): structs and enums that are stored inside a model
//! - `enums`, [Enums](../../guide/design/enums.html): fields and documents of several shapes
//! - `projection`, [Projections](../../guide/guides/projection.html): structs that read a part of a document
//! - `types`, [Types of fields](../../guide/guides/types.html): the types of fields, also of `chrono`, `jiff`,
//!   `time`, `uuid`, `rust_decimal` and `url`
//! - `raw_values`, [Raw values and unknown fields](../../guide/guides/raw_values.html): fields of any BSON, entries
//!   of maps, unknown fields
//! - `hidden_fields`, [Hidden fields](../../guide/guides/hidden_fields.html): fields that a read gets only by name
//! - `new_values`, [New values](../../guide/guides/new_values.html): structs of new values, ids, defaults and
//!   sequences
//! - `value_rules`, [Value rules](../../guide/guides/value_rules.html): the allowed values of a field, and rules
//!   about several fields, for the crate and the validator
//! - `json`, [JSON for clients](../../guide/guides/json.html): JSON for clients, from the same structs
//! - `collection_kinds`, [Kinds of collections](../../guide/design/collection_kinds.html): capped and clustered
//!   collections, time series, views
//! - `rules_of_thumb`, [Rules of thumb](../../guide/design/rules_of_thumb.html): how to choose between embedding,
//!   references and copies
//!
//! # Reads and writes
//!
//! - `insert_and_read`, [Insert, read, change and delete](../../guide/guides/insert_and_read.html): the operations of
//!   every model
//! - `text_search`, [Text search](../../guide/guides/text_search.html): words, phrases, scores
//! - `geo`, [Geo queries](../../guide/guides/geo.html): documents near a point or inside of an area
//! - `raw_driver`, [The raw driver](../../guide/guides/raw_driver.html): operators, pipelines and commands of MongoDB
//! - `filters`, [Filters](../../guide/guides/filters.html): the conditions of a read, an update or a delete
//! - `updates`, [Updates](../../guide/guides/updates.html): the operators of an update, upserts, histories, capped
//!   lists
//! - `partial_updates`, [Partial updates](../../guide/guides/partial_updates.html): structs of optional changes,
//!   conditions of an update, the changed document
//! - `patch`, [Patches](../../guide/guides/patch.html): structs of optional changes
//! - `bulk`, [Bulk writes](../../guide/guides/bulk.html): many writes in one call
//! - `pages`, [Sorts and pages](../../guide/guides/pages.html): sorts, pages by tokens, streams, counts
//! - `aggregation`, [Aggregations](../../guide/guides/aggregation.html): sums, averages, counts and groups of many
//!   documents
//! - `aggregate`, [Structs of aggregations](../../guide/guides/aggregate.html): the struct of an aggregation: keys
//!   and values of each group
//! - `facets`, [Facets](../../guide/guides/facets.html): a page of documents with counts by values and ranges beside
//!   the page
//! - `facets_struct`, [Structs of facets](../../guide/guides/facets_struct.html): the struct of a read of facets
//! - `indexes`, [Indexes](../../guide/guides/indexes.html): the kinds of indexes, text search, hidden indexes, search
//!   and vector indexes of Atlas
//! - `choosing`, [Choosing a storage](../../guide/design/choosing.html): questions about a relation, with an attribute
//!   as the answer
//! - `queries`, [Declared queries](../../guide/design/queries.html): reads that a model declares, and the indexes
//!   that serve them
//! - `transactions`, [Transactions](../../guide/guides/transactions.html): several operations that happen all or not
//!   at all
//! - `collations`, [Collations](../../guide/guides/collations.html): comparison of texts by a language, without case,
//!   with digits as numbers
//! - `options`, [Options of an operation](../../guide/guides/options.html): hints, time limits, comments, collations
//!   and concerns of an operation
//! - `errors`, [Errors](../../guide/guides/errors.html): causes, repeated calls, texts for logs
//!
//! # Relations
//!
//! - `relations`, [Relations](../../guide/guides/relations.html): references, parents and children, loads and lookups
//! - `links`, [Relations with two ends, and delete rules](../../guide/design/links.html): relations with two ends,
//!   and the effects of a delete
//! - `trees`, [Trees](../../guide/design/trees.html): documents with a parent in the same collection
//! - `buckets`, [Buckets](../../guide/design/buckets.html): many children in one document
//!
//! # Derived data
//!
//! - `derived_data`, [Derived data and its guarantees](../../guide/design/derived_data.html): guarantees of copies,
//!   rollups, links, trees, slugs and buckets, also after a client has stopped
//! - `copies`, [Copies](../../guide/design/copies.html): fields that are stored in other documents too, and follow
//!   their source
//! - `rollups`, [Rollups](../../guide/design/rollups.html): counts, sums and the newest children in a parent
//! - `slugs`, [Slugs](../../guide/design/slugs.html): texts for addresses, made from another field
//! - `histories`, [Histories](../../guide/design/histories.html): bounded lists of dated entries
//! - `combinations`, [Combinations](../../guide/reference/combinations.html): the pairs of features that work
//!   together, and the refused pairs
//!
//! # Reference
//!
//! - `attributes`, [Attributes](../../guide/reference/attributes.html): all attributes, with a page each
//! - `rules`, [Rules](../../guide/rules/index.html): the reasons why a schema does not compile
//! - `generated`, [Generated code](../../guide/reference/generated.html): the methods, constants and types of each
//!   derive and each attribute
//! - `error_causes`, [Causes of errors](../../guide/reference/errors.html): each variant with the cause and the remedy
//! - `stored_format`, [Stored format](../../guide/reference/stored_format.html): the stored names of the crate
//! - `guarantees`, [Guarantees](../../guide/reference/guarantees.html): each guarantee with the test
//! - `glossary`, [Glossary](../../guide/reference/glossary.html): the words of the guide
//!
//! # Operation
//!
//! - `connect`, [Connecting](../../guide/guides/connect.html): the connection string, the pool, replica sets, TLS,
//!   secrets
//! - `http`, [An HTTP service](../../guide/guides/http.html): a service with axum, from the router to the shutdown
//! - `web`, [Extractors and answers for axum](../../guide/guides/web.html): extractors and answers for axum
//! - `schema`, [Plan and apply](../../guide/operate/schema.html): planning and applying validators and indexes
//! - `cli`, [The command line](../../guide/operate/cli.html): a program that plans, applies and checks
//! - `schema_file`, [Schema files](../../guide/operate/schema_file.html): the schema as a file, and the effects of a
//!   change on a deploy
//! - `diagrams`, [Diagrams and reports](../../guide/operate/diagrams.html): a schema as diagrams, tables and reports
//! - `deploying`, [Deploys](../../guide/operate/deploying.html): plan, apply, processes of two versions, and a change
//!   of copied fields
//! - `changing`, [Changing a model](../../guide/operate/changing.html): add, rename, remove, retype and tighten a field
//! - `worker`, [The worker](../../guide/operate/worker.html): the background process of production
//! - `jobs`, [Jobs](../../guide/operate/jobs.html): `recover`, `verify` and `repair` by a scheduler
//! - `monitoring`, [Monitoring](../../guide/operate/monitoring.html): spans, slow commands, the lag of the worker
//! - `pools`, [Pools and timeouts](../../guide/operate/pools.html): connections and waits, with the defaults
//! - `privileges`, [Privileges](../../guide/operate/privileges.html): the rights of each user of the database
//! - `backups`, [Backups](../../guide/operate/backups.html): derived data after a restore
//! - `costs`, [Cost of each feature](../../guide/operate/costs.html): commands of reads and writes
//! - `production`, [Production checklist](../../guide/operate/production.html): settings before the first real user
//! - `replica_set`, [Features that need a replica set](../../guide/design/replica_set.html): features that fail on a
//!   standalone server
//! - `sharding`, [Sharding](../../guide/design/sharding.html): shard keys and clusters
//! - `versions`, [Versions of MongoDB](../../guide/operate/versions.html): the supported versions of MongoDB, and the
//!   differences between the versions
//! - `tracing`, [Tracing](../../guide/guides/tracing.html): the spans of commands
//! - `visibility`, [Commands as lines of mongosh](../../guide/guides/visibility.html): commands as lines for
//!   `mongosh`
//! - `throwaway_database`, [A throwaway test database](../../guide/guides/throwaway_database.html): a database for each
//!   test
//! - `logging`, [Logging](../../guide/guides/logging.html): a line for each command
//! - `axum_state`, [A database as the state of axum](../../guide/guides/axum_state.html): a database for all handlers
//! - `testing`, [Tests](../../guide/guides/testing.html): a server for tests, and assertions about indexes and
//!   commands
