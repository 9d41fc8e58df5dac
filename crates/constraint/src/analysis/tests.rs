use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{CastlingMode, fen::Fen};

use super::*;
use crate::{
    Target,
    described::{all_that_holds, sharp_move},
};

fn reason_from(text: &str, fen: &str) -> Option<String> {
    let root: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    text.parse::<Target>()
        .expect(text)
        .impossible_from(Situation::root(&root))
        .map(|reason| reason.to_string())
}

fn reason(text: &str) -> Option<String> {
    reason_from(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
}

#[test]
fn contradictions_are_explained() {
    for (text, why) in [
        ("check=white check=black", "only the side to move can be in check"),
        ("check=white turn=black", "only the side to move can be in check"),
        ("checkmate check=none", "cannot be both in check and not in check"),
        ("stalemate check=any", "cannot be both in check and not in check"),
        ("stalemate checkmate", "checkmate and stalemate"),
        ("ply=3 turn=white", "after 3 plies it is the other side's turn"),
        ("ply<5 ply>9", "no number of plies"),
        ("K@e1 K@e2", "the king cannot also stand on e1"),
        ("K@e1 K@3-4", "the king cannot also stand on e1"),
        ("N@f5 n@f5", "f5 cannot hold two different things"),
        ("N@f5 -@f5", "f5 cannot be both empty and occupied"),
        ("P@a1", "a pawn never stands"),
        ("p@8", "a pawn never stands"),
        ("N@f5 N=0", "contradict"),
        ("[QR]=0 ![QR]=0", "no reachable numbers of men have [QR]!=0"),
        ("Q=0 R=0 [QR]>=1", "no reachable numbers of men have [QR]>=1"),
        ("Q=1 [QR]-[qr]<=-1 [qr]<1", "no reachable numbers of men have [QR]-[qr]<=-1"),
        ("Q@a1 Q@a2 Q@a3 P=8", "White needs 2 promoted men, but only 0"),
        ("castling=KQ K@e2", "the king cannot also stand on e1"),
        ("castling>=k -@h8", "cannot"),
        ("castling>=k R@h8", "h8 cannot hold two different things"),
        ("castling=none castling>=K", "exclude each other"),
        ("castling=KQ R=1", "contradict"),
        ("N=3 ply<=8", "promoting 1 pawn takes 5 moves, but White has at most 4 moves in 8 plies"),
        ("q=3 ply<=19", "promoting 2 pawns takes 10 moves, but Black has at most 9 moves in 19 plies"),
        ("black(0,0,0,0,0) ply<=28", "15 captures take 15 moves, but White has at most 14 moves in 28 plies"),
        ("(1,2,2,2,7) ply<=1", "1 capture takes 1 move, but Black has at most 0 moves in 1 ply"),
        ("(1,2,2,2,7) black(1,2,2,2,7) ply<=1", "at least 2 men must be captured, but at most 1 ply is left"),
        ("ply=1 turn=white", "after 1 ply it is the other side's turn"),
        ("material=KvK ply<=20", "at least 30 men must be captured, but at most 20 plies are left"),
        ("B=2 !B@light P=8", "contradict"),
        ("fen=K7/8/8/8/8/8/8/K6k", "White has only one king"),
        ("fen=8/8/8/8/8/8/8/7k", "no square left for White's king"),
        ("fen=k7/8/8/8/8/8/8/P6K", "a pawn never stands"),
        ("fen=k7/PPPPPPPP/P7/8/8/8/8/7K", "White needs at least 9 pawns"),
        ("fen=4k3/8/8/8/8/8/8/4K3 N@f5", "f5 cannot hold two different things"),
        ("K@e4 k@e5", "adjacent"),
        ("!K@1-8", "no square left for White's king"),
        ("!-@1-8", "64 squares cannot be occupied by 32 men"),
        ("N@f3 !N@f3", "N@f3 cannot both hold and not hold"),
        ("checkmate !checkmate", "cannot both hold and not hold"),
        ("castling>=K !castling>=K", "cannot both hold and not hold"),
        ("!castling>=none", "always holds"),
        ("ply=5 ply!=5", "no number of plies"),
        ("ply=5 ply!=3..7", "no number of plies"),
        ("(P@a1 | Q=9 P=8) | check=none checkmate", "a pawn never stands"),
        ("!(turn=white | turn=black)", "cannot both be to move"),
        ("P@d>=7", "the number is at most 6"),
        ("P@2-3=9", "the number is at most 8"),
        ("K@kingside=2", "the number is at most 1"),
        ("P@d=1 P@d4 P@d5", "P@d=1 allows at most 1 white pawn, but other conditions need at least 2 there"),
        ("!P@d P@d4", "!P@d allows no white pawn"),
        ("open=d p@d5", "allows no black pawn"),
        ("P@a-d=5 P@e-h=4", "White needs at least 9 pawns"),
        ("N@centre=3 P=8", "White needs 1 promoted man"),
        ("P@a1-h1=1", "the number is at most 0"),
        ("isolated(P@d) P@c", "isolated(P@d) contradicts"),
        ("isolated(P@d) P@e4", "isolated(P@d) contradicts"),
        ("isolated(P@d) isolated(P@e)", "contradicts"),
        ("passed(P@e5) p@d6", "passed(P@e5) contradicts"),
        ("passed(P@a4) p@b5-b7=1", "passed(P@a4) contradicts"),
        ("doubled(P@d) P@d=1", "doubled(P@d) contradicts"),
        ("doubled(P) P=1", "contradict"),
        ("connected(P@a) P@b=0", "connected(P@a) contradicts"),
        ("chain(P) P=1", "contradict"),
        ("backward(P@e2) P@d2", "backward(P@e2) contradicts"),
        ("locked(P)>=5 p=4", "contradict"),
        ("locked(P@e4) !p@e", "locked(P@e4) contradicts"),
        ("islands(P)>=5", "the number is at most 4"),
        ("islands(P)=3 P=2", "contradict"),
        ("outpost(N@d5) p@c7", "outpost(N@d5) contradicts"),
        ("outpost(N@d3)", "outpost(N@d3) contradicts"),
        ("N@outpost P=0", "contradict"),
        ("open(R@d) P@d", "open(R@d) contradicts"),
        ("open(P)", "open(P) contradicts"),
        ("halfopen(R@c) p@c=0", "halfopen(R@c) contradicts"),
        ("hanging(n) n=0", "contradict"),
        ("trapped([KP])", "the number is at most 0"),
        ("pinned(K)", "the number is at most 0"),
        ("attacks(N, q) N=0", "contradict"),
        ("attacks(N, [kq])>=19", "the number is at most"),
        ("passed(P)-p>=9", "the number is at most 8"),
        ("P@queenside-p@queenside<=-9", "at least -8"),
        ("flip(isolated(P@d) P@c)", "isolated(P@e) contradicts"),
        ("mirror(passed(P@e5) p@d6)", "passed(p@e4) contradicts"),
    ] {
        let found = reason(text).unwrap_or_else(|| panic!("{text} is not proved impossible"));
        assert!(found.contains(why), "{text}: {found}");
    }
}

#[test]
fn possible_constraints_are_not_called_impossible() {
    for text in [
        "Q=2 q=0 check=black",
        "(0,0,0,0,0) checkmate",
        "castling=KQkq Q=0 q=0",
        "castling=none ply<=12",
        "N@h8 n@a1",
        "k@e4 turn=white",
        "P@a7 p@a2",
        "R@a8 R@h8 K@e1 castling=none",
        "stalemate ply<=40",
        "B=2 !B@light",
        "P=0 p=8 ply<=60",
        "material=KRPvKR",
        "material=KBNvK",
        "castling=KQ castling>=K",
        "ply=3 turn=black",
        "N@f5 N@f4 N=2",
        "fen=????????/8/8/8/8/8/8/????????",
        "!castling=KQkq",
        "checkmate check=white",
        "P@a1 | Q=0",
        "P@d=6",
        "isolated(P@d) P@b P@f",
        "isolated([Pp]@d) P@c",
        "passed(P@e5) p@d5 p@e4",
        "doubled(P@d)>=2 P=8",
        "passed(P)>=8 passed(p)>=8",
        "outpost(N@d5) p@d7 p@c5 P@c4",
        "backward(P@e2) P@d3 p@d4",
        "islands(P)=4",
        "connected(backward(P)) P=2",
        "mobility(K)=0",
        "[Pp]@a4-h5=16",
        "N@centre=4",
        "!isolated(P) !passed(P)",
    ] {
        assert_eq!(reason(text), None, "{text}");
    }
}

#[test]
fn what_holds_in_a_reached_position_is_not_called_impossible() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut tested = 0;
    for _ in 0..150 {
        let mut position = Chess::default();
        let first = position.clone();
        let mut roots = vec![(0, position.clone())];
        let mut moves = Vec::new();
        for ply in 1..=160_u32 {
            let Some(m) = sharp_move(&position, &mut rng) else { break };
            position.play_unchecked(m);
            moves.push(m);
            let (start, root) = &roots[rng.random_range(0..roots.len())];
            // The game begins at the root, or was already played to it.
            let is_new = rng.random();
            let (from, plies) = if is_new { (root, &moves[*start as usize..]) } else { (&first, &moves[..]) };
            let end = Situation::root(from).after(plies, &position);
            let constraint = all_that_holds(end, &mut rng);
            let Ok(target) = Target::new(constraint.clone()) else { continue };
            let played = if is_new { &[] } else { &moves[..*start as usize] };
            let reason = target.impossible_from(Situation::root(from).after(played, root));
            assert_eq!(reason, None, "{constraint} after {} plies, from {start}", end.ply);
            tested += 1;
            if rng.random_range(0..20) == 0 {
                roots.push((ply, position.clone()));
            }
        }
    }
    assert!(tested > 10_000, "{tested}");
}

#[test]
fn castling_rights_that_the_root_lacks_never_return() {
    let root = "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1";
    assert_eq!(reason_from("castling=Kq", root), None);
    assert!(reason_from("castling>=Q", root).unwrap().contains("'Q' is lost and never returns"));
}

#[test]
fn contradictions_between_the_game_and_other_conditions_are_found() {
    for (text, expected) in [
        ("captures<=2 Q=0 q=0 R=0", "need at least 4 captures, but at most 2 are allowed"),
        ("captures<=1 P=6 Q=1 R=2 B=2 N=2", "need at least 2 captures"),
        ("captures<=3 material=KRPvKR", "need at least 27 captures"),
        ("captures>=31", "allow at most 30 captures"),
        ("captures=30 Q=1", "allow at most 29 captures"),
        ("captures>=20 ply<=15", "20 captures are still required, but at most 15 plies are left"),
        ("captures<=3 captures>4", "no number of captures"),
        ("white.castled=long white.castled=none", "the conditions on White's castling exclude each other"),
        ("castled=yes !white.castled=long !white.castled=short", "White's castling exclude"),
        ("white.castled=short castling>=Q", "White must castle, but must also keep a castling right"),
        ("black.castled=short ply<=1", "Black must castle, but has no move left"),
        ("begins=\"1.e4 e5 2.Nf3\" ply<=2", "the first moves take 3 plies more"),
        ("(P=3) then P=4", "White has at most 3 pawns earlier, but at least 4 later"),
        ("material=KvK then Q=1", "men never return"),
        ("ply>=30 then ply<=30", "the earlier position has at least 30 plies"),
        ("captures>=5 then captures<=4", "captures and castling of the earlier position"),
        ("white.castled=long then white.castled=short", "captures and castling of the earlier position"),
        ("Q=10 then Q=1", "at an earlier position: White needs 9 promoted men"),
        ("!earlier(Q=1) Q=0", "'Q=1' already holds"),
    ] {
        let reason = reason(text).unwrap_or_else(|| panic!("{text} is not refused"));
        assert!(reason.contains(expected), "{text}: {reason}");
    }
    for text in [
        "captures<=4 Q=0 q=0 R=1 r=1",
        "captures>=29 Q=0",
        "captures=30",
        "captures<=8 P=0",
        "castled=none then castled=yes",
        "Q=0 then Q=1",
        "(Q=1 q=1 ply<=20) then (Q=0 q=0)",
        "white.castled=long castling>=k",
        "black.castled=short ply<=8",
        "eco=B90 eco=C00",
        "!earlier(Q=1)",
    ] {
        assert_eq!(reason(text), None, "{text}");
    }
}

#[test]
fn what_the_root_has_lost_excludes_castling_and_openings() {
    let rooks = "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1";
    assert_eq!(reason_from("white.castled=short black.castled=long", rooks), None);
    assert!(
        reason_from("white.castled=long", rooks).unwrap().contains("White can no longer castle queenside")
    );
    assert!(reason_from("eco=B90", rooks).unwrap().contains("it can no longer do so"));
    assert!(reason_from("begins=\"1.e4\"", rooks).unwrap().contains("it has not"));
    // The knights may go back and the opening may follow, although the list has no such line.
    let knights = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2";
    assert_eq!(reason_from("eco=B90", knights), None);
    let pawn = "rnbqkbnr/1ppppppp/p7/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 2";
    assert!(reason_from("eco=C00", pawn).is_some());
}
