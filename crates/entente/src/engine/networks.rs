use std::{collections::HashMap, path::PathBuf, sync::Arc};

use entente_network::{
    Backend, NetworkError, NetworkKind, NetworkSource, Policy, SatisfactionNetwork, embedded_network,
    read_network,
};
use log::info;
use sha2::{Digest, Sha256};

/// Networks by name, each loaded once.
#[derive(Default)]
pub(super) struct Networks {
    /// The folder to which the names of files are relative.
    folder: PathBuf,
    satisfaction: Cache<SatisfactionNetwork>,
    policies: Cache<Policy>,
    /// The SHA-256 of files, in hexadecimal.
    digests: HashMap<String, String>,
}

/// The networks of one kind.
struct Cache<T>(HashMap<String, Loaded<T>>);

struct Loaded<T> {
    network: Arc<T>,
    /// The backend that runs it.
    backend: Backend,
    /// True if the file may have changed.
    is_stale: bool,
}

impl<T> Default for Cache<T> {
    fn default() -> Cache<T> {
        Cache(HashMap::new())
    }
}

impl Networks {
    /// Networks whose file names are relative to `folder`.
    pub(super) fn beside(folder: PathBuf) -> Networks {
        Networks { folder, ..Networks::default() }
    }

    /// The SHA-256 of a network's file, if one was read.
    pub(super) fn digest(&self, name: &str) -> Option<String> {
        self.digests.get(name).cloned()
    }

    /// Marks the file with this name as possibly changed. It is read again at the next request. If that fails, the
    /// request after that gets the network that was read last.
    pub(super) fn forget(&mut self, name: &str) {
        self.satisfaction.forget(name);
        self.policies.forget(name);
    }

    /// Takes over the networks that others have loaded, except those that are loaded here.
    pub(super) fn share(&mut self, others: &Networks) {
        self.satisfaction.share(&others.satisfaction);
        self.policies.share(&others.policies);
        for (name, digest) in &others.digests {
            self.digests.entry(name.clone()).or_insert_with(|| digest.clone());
        }
    }

    /// Drops all networks except those that are `in_use`.
    pub(super) fn keep(&mut self, in_use: &[&str]) {
        self.satisfaction.0.retain(|name, _| in_use.contains(&name.as_str()));
        self.policies.0.retain(|name, _| in_use.contains(&name.as_str()));
    }

    /// The policy with this name, if it is loaded.
    pub(super) fn loaded_policy(&self, name: &str) -> Option<Arc<Policy>> {
        self.policies.0.get(name).map(|loaded| Arc::clone(&loaded.network))
    }

    /// True if the satisfaction network with this name and backend is already loaded.
    pub(super) fn has_network(&self, name: &str, backend: Backend) -> bool {
        self.satisfaction.is_fresh(name, backend)
    }

    /// The same for a policy.
    pub(super) fn has_policy(&self, name: &str, backend: Backend) -> bool {
        self.policies.is_fresh(name, backend)
    }
}

impl<T: NetworkKind> Loaded<T> {
    fn run_by(&mut self, backend: Backend) -> Result<(), NetworkError> {
        if backend != self.backend {
            self.network = Arc::new(self.network.on(backend)?);
            self.backend = backend;
        }
        Ok(())
    }
}

impl<T: NetworkKind> Cache<T> {
    fn share(&mut self, others: &Cache<T>) {
        for (name, Loaded { network, backend, is_stale }) in &others.0 {
            self.0.entry(name.clone()).or_insert_with(|| Loaded {
                network: Arc::clone(network),
                backend: *backend,
                is_stale: *is_stale,
            });
        }
    }

    fn forget(&mut self, name: &str) {
        if let Some(loaded) = self.0.get_mut(name) {
            loaded.is_stale = true;
        }
    }

    fn is_fresh(&self, name: &str, backend: Backend) -> bool {
        self.0.get(name).is_some_and(|loaded| !loaded.is_stale && loaded.backend == backend)
    }

    fn load(
        &mut self,
        name: &str,
        backend: Backend,
        folder: &std::path::Path,
        digests: &mut HashMap<String, String>,
    ) -> Result<Arc<T>, NetworkError> {
        if let Some(loaded) = self.0.get_mut(name)
            && !std::mem::take(&mut loaded.is_stale)
        {
            loaded.run_by(backend)?;
            return Ok(Arc::clone(&loaded.network));
        }
        let network = match embedded_network(name) {
            Some(bytes) => T::from_bytes(name, bytes)?,
            None => {
                let bytes = read_network(&folder.join(name))?;
                let digest = Sha256::digest(&bytes);
                let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
                digests.insert(name.to_owned(), digest);
                T::from_bytes(name, &bytes)?
            }
        };
        info!("network {name} loaded");
        let network = Arc::new(network.on(backend)?);
        let loaded = Loaded { network: Arc::clone(&network), backend, is_stale: false };
        self.0.insert(name.to_owned(), loaded);
        Ok(network)
    }
}

impl NetworkSource for Networks {
    fn network(&mut self, name: &str, backend: Backend) -> Result<Arc<SatisfactionNetwork>, NetworkError> {
        self.satisfaction.load(name, backend, &self.folder, &mut self.digests)
    }

    fn policy(&mut self, name: &str, backend: Backend) -> Result<Arc<Policy>, NetworkError> {
        self.policies.load(name, backend, &self.folder, &mut self.digests)
    }
}
