// The gallery: a card for every game, filters above the cards, and a dialog that replays a game.

const NOT_FOUND = "not found, closest position";
const DRAWN_AT_ONCE = 60;
const BIG = new Intl.NumberFormat("en");

function emptyCard() {
  const board = svgElement("svg", { class: "board", viewBox: `0 0 ${8 * SIDE} ${8 * SIDE}`, "aria-hidden": "true" });
  return element("li", {},
    element("button", { type: "button", class: "card" }, board),
    lichessLink({ class: "lichess" }, "Open in Lichess"));
}

class Gallery {
  constructor(section, data) {
    this.data = data;
    this.section = section;
    this.replay = new Replay(data, this);
    // Cards do not repeat what all games have in common.
    this.manyConstraints = data.constraints.length > 1;
    this.manyEntrants = data.names.length > 1;
    this.build();
    this.filter();
    window.addEventListener("hashchange", () => this.openFromAddress());
    this.openFromAddress();
  }

  build() {
    this.constraint = this.select("Constraint", "All constraints", this.data.constraints, "c");
    this.entrant = this.select("Entrant", "All entrants", this.data.names, "e");
    this.count = element("p", { class: "count", role: "status" });
    this.grid = element("ul", { class: "cards", role: "list" });
    const template = emptyCard();
    this.cards = this.data.games.map((game, index) => this.card(template.cloneNode(true), game, index));
    this.grid.append(...this.cards);
    this.section.append(element("div", { class: "filters" }, this.constraint.label, this.entrant.label, this.count), this.grid);
    this.grid.addEventListener("click", (event) => {
      const card = event.target.closest(".card");
      if (card) this.replay.open(Number(card.parentElement.dataset.index));
    });
    this.drawWhatIsSeen();
  }

  select(name, all, options, key) {
    const games = options.map(() => 0);
    for (const game of this.data.games) games[game[key]]++;
    const node = element("select", {}, element("option", { value: "" }, all));
    options.forEach((option, index) => {
      node.append(element("option", { value: index }, `${option} (${BIG.format(games[index])})`));
    });
    node.addEventListener("change", () => this.filter());
    const label = element("label", {}, element("span", {}, name), node);
    label.hidden = options.length < 2;
    return { label, node, key };
  }

  card(item, game, index) {
    const constraint = this.data.constraints[game.c];
    const entrant = this.manyEntrants ? this.data.names[game.e] : "";
    const card = item.firstChild;
    const missing = game.ok ? "" : NOT_FOUND;
    // Lines may break only after a dot.
    const caption = game.caption.split(" · ").map((part) => part.replaceAll(" ", "\u00a0")).join("\u00a0· ");
    const lines = { caption, constraint: this.manyConstraints ? constraint : "", entrant, warning: missing };
    for (const [name, text] of Object.entries(lines)) {
      if (text) card.append(element("span", { class: name }, text), " ");
    }
    // The visible text, so that speech commands can use it, and the FEN. An explicit label is needed because browsers
    // do not derive one from the text of a card that is not laid out.
    const seen = Object.values(lines).filter(Boolean).join(" ");
    card.setAttribute("aria-label", [seen, this.manyConstraints ? "" : constraint, game.fen].filter(Boolean).join(", "));
    card.title = constraint;
    const link = item.lastChild;
    link.href = lichessPosition(game.fen);
    link.setAttribute("aria-label", `Open in Lichess: position ${game.n}`);
    item.dataset.index = index;
    return item;
  }

  // Thousands of boards would be too many for a page. The first ones are drawn at once, so that a page never appears
  // without boards; then boards are drawn near the window and cleared far from it.
  drawWhatIsSeen() {
    for (const card of this.cards.slice(0, DRAWN_AT_ONCE)) {
      this.draw(card.querySelector("svg"), this.data.games[card.dataset.index]);
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const svg = target.querySelector("svg");
          if (isIntersecting) this.draw(svg, this.data.games[target.dataset.index]);
          else svg.replaceChildren();
        }
      },
      { rootMargin: "600px" },
    );
    for (const card of this.cards) observer.observe(card);
  }

  draw(svg, game) {
    const board = readPlacement(words(game.fen)[0]);
    drawBoard(svg, board, { move: words(game.uci).at(-1), marks: words(game.mark) });
  }

  filter() {
    const filters = [this.constraint, this.entrant].filter(({ node }) => node.value !== "");
    this.shown = [];
    this.data.games.forEach((game, index) => {
      const fits = filters.every(({ node, key }) => game[key] === Number(node.value));
      this.cards[index].hidden = !fits;
      if (fits) this.shown.push(index);
    });
    const all = BIG.format(this.data.games.length);
    const some = this.shown.length < this.data.games.length ? `${BIG.format(this.shown.length)} of ${all}` : all;
    this.count.textContent = `${some} ${this.data.games.length === 1 ? "position" : "positions"}`;
  }

  neighbour(index, by) {
    return this.shown[this.shown.indexOf(index) + by];
  }

  place(index) {
    const place = this.shown.indexOf(index);
    return place < 0 ? "" : `${BIG.format(place + 1)} of ${BIG.format(this.shown.length)}`;
  }

  onOpen(index) {
    this.setAddress(`#game-${this.data.games[index].n}`);
  }

  onClose(index) {
    this.setAddress(location.href.split("#")[0]);
    this.cards[index].firstChild.focus();
  }

  setAddress(address) {
    try {
      history.replaceState(null, "", address);
    } catch {
      // Some browsers do not allow this for pages from files. Then only the link to the game is missing.
    }
  }

  openFromAddress() {
    const number = /^#game-(\d+)$/.exec(location.hash)?.[1];
    const index = this.data.games.findIndex((game) => game.n === Number(number));
    if (index >= 0) this.replay.open(index);
  }
}

function startGallery() {
  const section = document.getElementById("gallery");
  if (!section) return;
  const gallery = new Gallery(section, JSON.parse(document.getElementById("games").textContent));
  const { replay } = gallery;
  // For tests of the page.
  window.ententeGallery = {
    games: gallery.data.games,
    open: (index) => replay.open(index),
    goTo: (ply) => replay.goTo(ply),
    close: () => replay.close(),
    get index() { return replay.index; },
    get ply() { return replay.ply; },
    get plies() { return replay.plies; },
    get fen() { return fenAt(replay.game, replay.ply); },
    get replayed() { return writeFen(replay.game.positions[replay.ply]); },
    get pgn() { return writePgn(replay.game); },
    get flipped() { return replay.flipped; },
  };
}

startGallery();
