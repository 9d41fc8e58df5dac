//! Generates three positions without queens in which White is a rook ahead, each with its proof game.

use entente::{engine::Engine, generation::Request};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let request = Request::of("Q=0 q=0 R-r=1")?;
    for game in Engine::default().generate(&request, 3)? {
        println!("{} after {} plies", entente::records::fen(&game.position), game.moves.len());
    }
    Ok(())
}
