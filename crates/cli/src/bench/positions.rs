/// The positions of the competitive searches: openings, tense middlegames, endgames and a mate.
pub(super) const POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP3PPP/RNBQK2R w KQkq - 0 6",
    "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1BN1PN2/PP2QPPP/R1BR2K1 b - - 3 12",
    "r3k2r/p1ppq1b1/bn2pnp1/3PN3/1p2P3/2N4Q/PPPB1PPP/R3KB1R w KQkq - 0 1",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b2rk1/2q1bppp/p2ppn2/1p6/3BPP2/2N2B2/PPP1Q1PP/R4R1K b - - 4 14",
    "4rrk1/pp1n1pp1/2p2q1p/3p4/3P1P2/2NBP3/PPQ3PP/4RRK1 w - - 2 20",
    "8/2k2p2/2p1p1p1/1p1pP1P1/pP1P1P2/P1K1N3/8/3b4 w - - 0 45",
    "8/5pk1/4p1p1/3pP2p/2pP3P/2P2PP1/1r4K1/R7 w - - 0 37",
    "6k1/5p1p/P5p1/1p6/2r5/6P1/R4P1P/6K1 b - - 0 30",
    "8/8/3k4/3p4/3P1K2/8/6P1/8 w - - 0 1",
    "r4rk1/ppp2ppp/8/2bqp1Nn/3n4/3P4/PPP1QPPP/R1B2RK1 w - - 0 14",
];
