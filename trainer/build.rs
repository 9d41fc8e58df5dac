//! Puts libtorch's folder on the run path, so that programs that use it start without LD_LIBRARY_PATH.
//!
//! The trainer always links libtorch; the engine's crates link it with their feature `torch`. Each has a copy of this
//! file, for its tests and programs.

use std::{env, path::PathBuf};

fn main() {
    println!("cargo:rerun-if-env-changed=LIBTORCH");
    let is_trainer = env::var("CARGO_PKG_NAME").is_ok_and(|name| name == "entente-trainer");
    if !is_trainer && env::var_os("CARGO_FEATURE_TORCH").is_none() {
        return;
    }
    let Some(libtorch) = env::var_os("LIBTORCH").map(PathBuf::from) else { return };
    let lib = libtorch.join("lib");
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "unix") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", lib.display());
    }
    // Nothing refers to a symbol of libtorch_cuda, so the linker would drop it, and with it the GPU.
    if lib.join("libtorch_cuda.so").exists() {
        println!("cargo:rustc-link-arg=-Wl,--no-as-needed");
        println!("cargo:rustc-link-arg=-L{}", lib.display());
        println!("cargo:rustc-link-arg=-ltorch_cuda");
        println!("cargo:rustc-link-arg=-Wl,--as-needed");
    }
}
