//! Takes the documentation of classes and functions from `entente/_entente.pyi`, where editors read it, so that `help()`
//! shows the same; and tells the linker of macOS that Python's symbols are found when the module is loaded.

use std::{env, fmt::Write as _, fs, path::Path};

const STUB: &str = "entente/_entente.pyi";

fn main() {
    pyo3_build_config::add_extension_module_link_args();
    println!("cargo:rerun-if-changed={STUB}");
    let stub = fs::read_to_string(STUB).expect("the stub is next to this file");
    let mut arms = String::new();
    for (name, text) in documented(&stub) {
        writeln!(arms, "({name:?}) => {{ {text:?} }};").expect("writing to a string cannot fail");
    }
    let folder = env::var("OUT_DIR").expect("cargo sets it");
    let code = format!("/// The documentation of an item of the stub.\nmacro_rules! doc {{\n{arms}}}\n");
    fs::write(Path::new(&folder).join("documentation.rs"), code).expect("the folder can be written");
}

/// The items of a stub with their docstrings: `Class`, `Class.method` and `function`.
fn documented(stub: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    // The class, and the item that a docstring would belong to.
    let (mut class, mut item) = (String::new(), None);
    let mut lines = stub.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        let is_inner = line.starts_with(' ');
        if let Some(name) = code.strip_prefix("class ").map(name_of) {
            class = name.to_owned();
            item = Some(name.to_owned());
        } else if let Some(name) = code.strip_prefix("def ").map(name_of) {
            item = Some(if is_inner { format!("{class}.{name}") } else { name.to_owned() });
        } else if let Some(first) = code.strip_prefix("\"\"\"") {
            let indent = line.len() - code.len();
            let mut text = first.to_owned();
            while !text.ends_with("\"\"\"") {
                let next = lines.next().expect("a docstring ends");
                text += "\n";
                text += next.get(indent..).unwrap_or(next.trim_start());
            }
            let text = text.trim_end_matches("\"\"\"").trim_end().to_owned();
            found.extend(item.take().map(|item| (item, text)));
        }
    }
    found
}

/// The name at the beginning of a definition.
fn name_of(definition: &str) -> &str {
    definition.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(definition)
}
