use std::path::{Path, PathBuf};

use tch::Device;

/// The inputs of a run, apart from its recipe.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The game store.
    pub store: &'a Path,
    /// The network with whose weights the run begins, if any; for a tower with several trunks, one for each of them.
    pub start: &'a [PathBuf],
    /// Tournaments with games of the policy itself.
    pub own: &'a [PathBuf],
    /// Labels of the store's positions.
    pub labels: Option<&'a Path>,
    /// A second store, on which progress is also measured.
    pub compare: Option<&'a Path>,
    /// Number of threads that compute the network; `None`: the default.
    pub threads: Option<usize>,
    /// Number of threads for everything else.
    pub cores: usize,
    /// The device on which the network is computed.
    pub device: Device,
}

impl Inputs<'_> {
    /// Refuses the inputs from which only policies can learn.
    ///
    /// # Errors
    ///
    /// If one of them is given. The message names its option.
    pub fn reject_policy_options(&self) -> anyhow::Result<()> {
        for (is_given, option) in [
            (!self.start.is_empty(), "start"),
            (!self.own.is_empty(), "own"),
            (self.labels.is_some(), "labels"),
            (self.compare.is_some(), "compare"),
        ] {
            anyhow::ensure!(!is_given, "option --{option}: only for policies");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_input_is_ignored_silently() {
        let (path, own) = (Path::new("a"), [PathBuf::from("b")]);
        let plain = Inputs {
            store: path,
            start: &[],
            own: &[],
            labels: None,
            compare: None,
            threads: Some(1),
            cores: 1,
            device: Device::Cpu,
        };
        assert!(plain.reject_policy_options().is_ok());
        for (inputs, option) in [
            (Inputs { start: &own, ..plain }, "--start"),
            (Inputs { own: &own, ..plain }, "--own"),
            (Inputs { labels: Some(path), ..plain }, "--labels"),
            (Inputs { compare: Some(path), ..plain }, "--compare"),
        ] {
            let error = inputs.reject_policy_options().unwrap_err().to_string();
            assert_eq!(error, format!("option {option}: only for policies"));
        }
    }
}
