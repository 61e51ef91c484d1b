//! The local server: the topologies, the sources of the server, and the end of the server together with its owner. The
//! tests have a separate binary: the tests start servers, and kill servers, by the dozen.

mod cleanup;
mod owner;
mod source;
mod topology;
