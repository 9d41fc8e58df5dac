// Addresses of a position or a game at lichess.org. They are links for the reader; the page itself fetches nothing.

const LICHESS = "https://lichess.org/analysis/";

const lichessPosition = (fen) => `${LICHESS}standard/${fen.replaceAll(" ", "_")}`;

// The moves, preceded by a FEN tag if the game does not start from the initial position.
function lichessGame({ root, san }) {
  const start = root ? encodeURIComponent(`[FEN "${root}"]`).replaceAll("%2F", "/") : "";
  return `${LICHESS}pgn/${start}${san.map(encodeURIComponent).join("_")}`;
}

// A link that opens in a new tab.
function lichessLink(attributes, text) {
  return element("a", { target: "_blank", rel: "noopener noreferrer", ...attributes }, text);
}
