// Positions, their FENs and moves, and boards drawn as SVG.
// Squares are numbered in the order of a FEN: a8 is 0, h8 is 7, h1 is 63.

const INITIAL_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const fileOf = (square) => square % 8;
const rankOf = (square) => square >> 3;
const squareOf = (name) => (8 - Number(name[1])) * 8 + "abcdefgh".indexOf(name[0]);
const nameOf = (square) => "abcdefgh"[fileOf(square)] + (8 - rankOf(square));
const isWhite = (piece) => piece !== piece.toLowerCase();

function readPlacement(placement) {
  return [...placement.replace(/\d/g, (empty) => " ".repeat(empty)).replaceAll("/", "")];
}

function writePlacement(board) {
  return board.join("").replace(/.{8}(?=.)/g, "$&/").replace(/ +/g, (empty) => empty.length);
}

function readFen(fen) {
  const [placement, turn, castling, enPassant, clock = 0, number = 1] = fen.split(" ");
  return {
    board: readPlacement(placement),
    white: turn === "w",
    castling: castling === "-" ? "" : castling,
    enPassant: enPassant === "-" ? -1 : squareOf(enPassant),
    clock: Number(clock),
    number: Number(number),
  };
}

function writeFen({ board, white, castling, enPassant, clock, number }) {
  const passed = enPassant < 0 ? "-" : nameOf(enPassant);
  return [writePlacement(board), white ? "w" : "b", castling || "-", passed, clock, number].join(" ");
}

const ORTHOGONAL = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const KNIGHT = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];

// The first man from a square in a direction, within a number of steps.
function firstMan(board, square, [files, ranks], steps) {
  let file = fileOf(square);
  let rank = rankOf(square);
  for (let step = 1; step <= steps; step++) {
    file += files;
    rank += ranks;
    if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
    const man = board[rank * 8 + file];
    if (man !== " ") return man;
  }
  return " ";
}

function isAttacked(board, square, byWhite) {
  const meets = (directions, steps, kinds) =>
    directions.some((direction) => {
      const man = firstMan(board, square, direction, steps);
      return kinds.includes(man.toLowerCase()) && isWhite(man) === byWhite;
    });
  const pawns = DIAGONAL.filter(([, ranks]) => ranks === (byWhite ? 1 : -1));
  return (
    meets(ORTHOGONAL, 7, "rq") || meets(DIAGONAL, 7, "bq") || meets(KNIGHT, 1, "n") || meets(pawns, 1, "p") ||
    meets([...ORTHOGONAL, ...DIAGONAL], 1, "k")
  );
}

// Whether the side to move may capture en passant on this square. A FEN names the square only in that case.
function mayCaptureEnPassant(board, target, white) {
  const passed = target + (white ? 8 : -8);
  const pawn = white ? "P" : "p";
  return [passed - 1, passed + 1].some((from) => {
    if (rankOf(from) !== rankOf(passed) || board[from] !== pawn) return false;
    const after = board.slice();
    after[from] = after[passed] = " ";
    after[target] = pawn;
    return !isAttacked(after, after.indexOf(white ? "K" : "k"), !white);
  });
}

// The squares of king and rook for each castling right. A move from or to one of them ends the right.
const CASTLING_SQUARES = { K: ["e1", "h1"], Q: ["e1", "a1"], k: ["e8", "h8"], q: ["e8", "a8"] };

// The position after a move in UCI notation, which must be legal.
function playMove(position, uci) {
  const { white } = position;
  const names = [uci.slice(0, 2), uci.slice(2, 4)];
  const [from, to] = names.map(squareOf);
  const board = position.board.slice();
  const man = board[from];
  const kind = man.toLowerCase();
  const captured = board[to] !== " ";
  board[from] = " ";
  board[to] = man;
  let enPassant = -1;
  if (kind === "p") {
    if (uci[4]) board[to] = white ? uci[4].toUpperCase() : uci[4];
    if (to === position.enPassant) board[to + (white ? 8 : -8)] = " ";
    const middle = (from + to) / 2;
    if (Math.abs(to - from) === 16 && mayCaptureEnPassant(board, middle, !white)) enPassant = middle;
  }
  if (kind === "k" && Math.abs(to - from) === 2) {
    const corner = to > from ? to + 1 : to - 2;
    board[(from + to) / 2] = board[corner];
    board[corner] = " ";
  }
  return {
    board,
    white: !white,
    castling: [...position.castling]
      .filter((right) => !CASTLING_SQUARES[right].some((square) => names.includes(square)))
      .join(""),
    enPassant,
    clock: kind === "p" || captured ? 0 : position.clock + 1,
    number: position.number + (white ? 0 : 1),
  };
}

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function svgElement(name, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

// A constraint whose words are not broken if possible.
function wholeWords(text) {
  return text.split(" ").flatMap((word) => [element("span", { class: "whole" }, word), " "]);
}

const SIDE = 45;

// All light squares are one path, so that pages with many boards have few nodes.
const LIGHT_SQUARES = Array.from({ length: 64 }, (_, square) => [fileOf(square), rankOf(square)])
  .filter(([file, rank]) => (file + rank) % 2 === 0)
  .map(([file, rank]) => `M${file * SIDE} ${rank * SIDE}h${SIDE}v${SIDE}h-${SIDE}z`)
  .join("");

// Fills an <svg>. `move` is the last move in UCI notation, or empty; `marks` are names of squares.
function drawBoard(svg, board, { move = "", marks = [], flipped = false, coordinates = false }) {
  const place = (square) => {
    const seen = flipped ? 63 - square : square;
    return { x: fileOf(seen) * SIDE, y: rankOf(seen) * SIDE };
  };
  const whole = 8 * SIDE;
  const nodes = [
    svgElement("rect", { class: "dark-squares", width: whole, height: whole }),
    svgElement("path", { class: "light-squares", d: LIGHT_SQUARES }),
  ];
  const moved = move ? [squareOf(move.slice(0, 2)), squareOf(move.slice(2, 4))] : [];
  for (const square of moved) {
    nodes.push(svgElement("rect", { class: "moved", ...place(square), width: SIDE, height: SIDE }));
  }
  for (const square of marks.map(squareOf)) {
    const { x, y } = place(square);
    nodes.push(svgElement("rect", { class: "mark", x: x + 2, y: y + 2, width: SIDE - 4, height: SIDE - 4, rx: 3 }));
  }
  board.forEach((man, square) => {
    if (man !== " ") {
      nodes.push(svgElement("use", { href: `#piece-${man}`, ...place(square), width: SIDE, height: SIDE }));
    }
  });
  if (coordinates) nodes.push(...drawCoordinates(flipped));
  const margin = coordinates ? 14 : 0;
  svg.setAttribute("viewBox", `${-margin} 0 ${whole + margin} ${whole + margin}`);
  svg.replaceChildren(...nodes);
}

function drawCoordinates(flipped) {
  const label = (text, x, y) => {
    const node = svgElement("text", { class: "coordinate", x, y });
    node.textContent = text;
    return node;
  };
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((step) => {
    const middle = step * SIDE + SIDE / 2;
    const corner = nameOf(flipped ? 63 - step * 9 : step * 9);
    return [label(corner[0], middle, 8 * SIDE + 11), label(corner[1], -8, middle + 3.5)];
  });
}
