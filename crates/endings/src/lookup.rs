//! Which ending a board is, and where its men stand, without allocation.

use std::sync::LazyLock;

use shakmaty::{Board, Color, Role};

use crate::{
    layout::Squares,
    material::{MAX_MEN, Material, ROLES},
    table::Table,
    wdl::Wdl,
};

/// The number of endings with three to five men.
pub(crate) const ENDINGS: usize = 145;

const BITS: u32 = 10;

/// Endings by the numbers of their men.
struct Numbers {
    endings: Vec<Material>,
    slots: Vec<Option<Slot>>,
}

/// An entry of a hash table with open addressing: key, number of the ending, and whether Black is the stronger side.
type Slot = (u32, u8, bool);

static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    let endings: Vec<_> = (3..=MAX_MEN).flat_map(Material::all).collect();
    assert_eq!(endings.len(), ENDINGS, "the number of endings");
    let mut slots: Vec<Option<Slot>> = vec![None; 1 << BITS];
    for (number, material) in endings.iter().enumerate() {
        let [first, second] = material.sides();
        for (sides, is_exchanged) in [([first, second], false), ([second, first], true)] {
            let key = key(sides.iter().flatten().copied());
            let mut slot = start(key);
            while slots[slot].is_some_and(|(other, ..)| other != key) {
                slot = (slot + 1) % slots.len();
            }
            slots[slot].get_or_insert((key, number as u8, is_exchanged));
        }
    }
    Numbers { endings, slots }
});

#[inline]
fn key(counts: impl Iterator<Item = u8>) -> u32 {
    counts.fold(0, |key, count| key << 2 | u32::from(count))
}

#[inline]
fn start(key: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize
}

/// The number of an ending of three to five men, and its colours on this board: whether Black is the stronger side.
/// None for other numbers of men.
#[inline]
pub(crate) fn number(board: &Board) -> Option<(usize, bool)> {
    if !(3..=MAX_MEN).contains(&board.occupied().count()) {
        return None;
    }
    let counts = [board.white(), board.black()]
        .into_iter()
        .flat_map(|side| ROLES.map(|role| (side & board.by_role(role)).count() as u8));
    let key = key(counts);
    let numbers = &*NUMBERS;
    let mut slot = start(key);
    while let Some((other, number, is_exchanged)) = numbers.slots[slot] {
        if other == key {
            return Some((usize::from(number), is_exchanged));
        }
        slot = (slot + 1) % numbers.slots.len();
    }
    None
}

/// The number of an ending; none if it has two men or more than five.
pub(crate) fn number_of(material: Material) -> Option<usize> {
    NUMBERS.endings.iter().position(|&other| other == material)
}

/// The result in the table of this ending, without captures en passant. None if pawns stand where none can.
#[inline]
pub(crate) fn value(table: &Table, board: &Board, turn: Color, is_exchanged: bool) -> Option<Wdl> {
    let sides = if is_exchanged { [board.black(), board.white()] } else { [board.white(), board.black()] };
    let ranks = if is_exchanged { 56 } else { 0 };
    let men = &table.layout.men;
    let mut squares = Squares::default();
    let mut place = 0;
    while let Some(&(color, role)) = men.get(place) {
        for square in sides[color] & board.by_role(role) {
            squares[place] = u8::from(square) ^ ranks;
            place += 1;
        }
    }
    let mut pawns = [0; MAX_MEN];
    let mut count = 0;
    for side in sides {
        for square in side & board.by_role(Role::Pawn) {
            pawns[count] = u8::from(square) ^ ranks;
            count += 1;
        }
    }
    table.value(usize::from(turn.is_black()) ^ usize::from(is_exchanged), squares, &pawns[..count])
}
