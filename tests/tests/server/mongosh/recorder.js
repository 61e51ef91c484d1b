// Records the commands that the driver of the shell sends to one database, as BSON. Modules run as written: the shell
// rewrites the functions of a script.
const fs = require("fs");
const path = require("path");

module.exports = function record(modules, database, file, shell) {
  const { serialize } = require(path.join(modules, "bson"));
  const servers = [...shell._serviceProvider.mongoClient.topology.s.servers.values()];
  const connection = servers.map((server) => server.pool.connections.first()).find((connection) => connection);
  const { prototype } = connection.constructor;
  const { command } = prototype;
  prototype.command = function (namespace, sent, ...rest) {
    if (namespace.db === database) {
      const { lsid, txnNumber, $db, $clusterTime, ...shown } = sent;
      for (const list of ["documents", "updates", "deletes"]) {
        // A sequence of documents, as the driver sends many writes.
        if (shown[list] && !Array.isArray(shown[list])) shown[list] = shown[list].documents;
      }
      fs.appendFileSync(file, serialize(shown, { ignoreUndefined: false }));
    }
    return command.call(this, namespace, sent, ...rest);
  };
};
