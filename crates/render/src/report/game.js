// A game of the report, its positions and its PGN.

const PGN_COLUMNS = 80;

const words = (text) => text.split(" ").filter(Boolean);

// "12." before a move of White, "12…" before a move of Black.
const numberBefore = (position, dots) => `${position.number}${position.white ? "." : dots}`;

// A game of the report with its positions. There is one more position than moves.
function readGame(data, index) {
  const game = data.games[index];
  const uci = words(game.uci);
  const san = words(game.san);
  const positions = [readFen(game.root ?? INITIAL_FEN)];
  for (const move of uci) positions.push(playMove(positions.at(-1), move));
  return {
    ...game,
    uci,
    san,
    marks: words(game.mark),
    constraint: data.constraints[game.c],
    entrant: data.names[game.e] ?? "",
    positions,
    agrees: san.length === uci.length && writePlacement(positions.at(-1).board) === words(game.fen)[0],
  };
}

function fenAt(game, ply) {
  return ply === game.uci.length ? game.fen : writeFen(game.positions[ply]);
}

function resultOf(game) {
  if (!game.san.at(-1)?.endsWith("#")) return "*";
  return game.positions.at(-1).white ? "0-1" : "1-0";
}

function writePgn(game) {
  // Tags of the report, such as a result by stalemate, override the others.
  const tags = {
    Event: "Entente proof game",
    Site: "?",
    Date: "????.??.??",
    Round: String(game.n),
    White: "Entente",
    Black: "Entente",
    Result: resultOf(game),
    ...(game.root && { SetUp: "1", FEN: game.root }),
    Constraint: game.constraint,
    ...game.tags,
    FinalFEN: game.fen,
  };
  const header = Object.entries(tags).map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]\n`);
  const tokens = game.san.flatMap((san, ply) => {
    const position = game.positions[ply];
    return position.white || ply === 0 ? [numberBefore(position, "..."), san] : [san];
  });
  const lines = [""];
  for (const token of [...tokens, tags.Result]) {
    const longer = `${lines.at(-1)} ${token}`.trim();
    if (longer.length <= PGN_COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(token);
  }
  return `${header.join("")}\n${lines.join("\n")}\n`;
}
