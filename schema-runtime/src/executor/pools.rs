//! The gates of clients. The driver tells neither the number of connections of a client nor whether two clients are the
//! same; the address of the client's own read preference does.

use std::{
    collections::HashMap,
    ptr,
    sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock},
};

use mongodb::{
    Client,
    error::Error as DriverError,
    options::{ClientOptions, ReadPreference, SelectionCriteria},
};

use super::{gate::Gate, observed::observed};

/// The driver's default for the largest number of connections of a client to one server.
const DRIVERS_POOL: u32 = 10;

/// The gates of the clients that were made here.
static CLIENTS: LazyLock<RwLock<HashMap<usize, Arc<Gate>>>> = LazyLock::new(RwLock::default);

/// A client with a known number of connections. The value lives as long as the client's options, and so as long as the
/// client.
struct Known {
    address: OnceLock<usize>,
    gate: Arc<Gate>,
}

impl Drop for Known {
    fn drop(&mut self) {
        let Some(address) = self.address.get() else { return };
        let mut clients = CLIENTS.write().unwrap_or_else(PoisonError::into_inner);
        // A later client may have the same address already.
        if clients.get(address).is_some_and(|gate| Arc::ptr_eq(gate, &self.gate)) {
            clients.remove(address);
        }
    }
}

/// Makes a client with a gate for the client's number of connections.
pub(crate) fn client(mut options: ClientOptions) -> Result<Client, DriverError> {
    let connections = options.max_pool_size.unwrap_or(DRIVERS_POOL) as usize;
    let known = Arc::new(Known { address: OnceLock::new(), gate: Gate::new(connections) });
    // The driver's own default, stored in the options so that the default has an address.
    options.selection_criteria.get_or_insert(SelectionCriteria::ReadPreference(ReadPreference::Primary));
    let held = Arc::clone(&known);
    // The handler keeps `known` alive.
    options.sdam_event_handler = Some(observed(options.sdam_event_handler.take(), move |_| _ = &held));
    let client = Client::with_options(options)?;
    if let Some(address) = address(&client) {
        CLIENTS.write().unwrap_or_else(PoisonError::into_inner).insert(address, Arc::clone(&known.gate));
        let _ = known.address.set(address);
    }
    Ok(client)
}

/// Returns the gate of a client; `None` for a client that was made outside of this crate, whose number of connections
/// is unknown.
pub(crate) fn gate_of(client: &Client) -> Option<Arc<Gate>> {
    let address = address(client)?;
    CLIENTS.read().unwrap_or_else(PoisonError::into_inner).get(&address).cloned()
}

fn address(client: &Client) -> Option<usize> {
    client.selection_criteria().map(|criteria| ptr::from_ref(criteria).addr())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_client_is_known_as_long_as_it_is_there() {
        let options = || ClientOptions::builder().max_pool_size(7).build();
        let (first, second) = (client(options()).unwrap(), client(options()).unwrap());
        let gate = gate_of(&first).unwrap();
        let of_database = gate_of(first.clone().database("shop").client()).unwrap();
        assert!(Arc::ptr_eq(&gate, &of_database));
        assert!(!Arc::ptr_eq(&gate, &gate_of(&second).unwrap()));
        assert!(gate_of(&Client::with_options(options()).unwrap()).is_none());
        first.shutdown().immediate(true).await;
        let is_known = || CLIENTS.read().unwrap().values().any(|known| Arc::ptr_eq(known, &gate));
        let forgotten = async {
            while is_known() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), forgotten).await.unwrap();
        drop(second);
    }
}
