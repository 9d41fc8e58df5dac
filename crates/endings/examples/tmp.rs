fn main() { let a: Vec<String> = std::env::args().skip(1).collect(); entente_endings::try_all(&a.iter().map(|s| &**s).collect::<Vec<_>>()); }
