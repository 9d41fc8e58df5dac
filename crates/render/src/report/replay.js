// The dialog that replays a proof game, with buttons for copying.

const MILLISECONDS_PER_MOVE = 800;

const ICONS = {
  first: "M6 5h2.5v14H6zM19 5v14L9 12z",
  previous: "M15.4 4.5 7.9 12l7.5 7.5 1.7-1.7-5.8-5.8 5.8-5.8z",
  play: "M7 4.5v15L20 12z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  next: "M8.6 4.5 16.1 12l-7.5 7.5-1.7-1.7 5.8-5.8-5.8-5.8z",
  last: "M15.5 5H18v14h-2.5zM5 5v14l10-7z",
  flip: "M8 3 3.5 8H7v9h2V8h3.5zM16 21l4.5-5H17V7h-2v9h-3.5z",
  up: "M4.5 15.4 12 7.9l7.5 7.5-1.7 1.7-5.8-5.8-5.8 5.8z",
  down: "M4.5 8.6 12 16.1l7.5-7.5-1.7-1.7-5.8 5.8-5.8-5.8z",
  close: "M6.4 5 5 6.4l5.6 5.6L5 17.6 6.4 19l5.6-5.6 5.6 5.6 1.4-1.4-5.6-5.6L19 6.4 17.6 5 12 10.6z",
};

function icon(name) {
  const svg = svgElement("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  svg.append(svgElement("path", { d: ICONS[name] }));
  return svg;
}

class Replay {
  // `list` is the gallery. It knows the neighbours of a game and its place among those shown, and is told when a game
  // is opened or closed.
  constructor(data, list) {
    this.data = data;
    this.list = list;
    this.flipped = false;
    this.timer = 0;
    this.build();
    this.listen();
  }

  build() {
    this.buttons = {};
    const button = (name, label, action, ...content) => {
      const node = element("button", { type: "button", class: "control" }, ...content);
      if (!content.length) {
        node.append(icon(name));
        node.setAttribute("aria-label", label);
        node.title = label;
      }
      node.addEventListener("click", action);
      this.buttons[name] = node;
      return node;
    };
    this.title = element("h2", { id: "replay-title" });
    this.place = element("span", { class: "place" });
    this.board = svgElement("svg", { class: "board", role: "img", tabindex: "-1" });
    this.spoken = element("p", { class: "spoken", "aria-live": "polite" });
    this.error = element("p", { class: "error", role: "alert" });
    this.facts = element("p", { class: "facts" });
    this.moves = element("div", { class: "moves", role: "group", "aria-label": "Moves" });
    this.fen = element("code", { class: "fen" });
    this.toast = element("p", { class: "toast", role: "status" });
    const heading = element("header", {},
      this.title,
      element("div", { class: "controls" },
        button("up", "Previous game (↑)", () => this.step(-1)),
        this.place,
        button("down", "Next game (↓)", () => this.step(1)),
        button("close", "Close (Esc)", () => this.close())));
    const controls = element("div", { class: "controls transport" },
      button("first", "First position (Home)", () => this.goTo(0)),
      button("previous", "Previous move (←)", () => this.goTo(this.ply - 1)),
      button("play", "Play (Space)", () => this.toggle()),
      button("next", "Next move (→)", () => this.goTo(this.ply + 1)),
      button("last", "Last position (End)", () => this.goTo(this.plies)),
      button("flip", "Flip the board (f)", () => this.flip()));
    const copying = element("div", { class: "controls copying" },
      button("copyFen", "", () => this.copy("FEN", fenAt(this.game, this.ply)), "Copy FEN"),
      button("copyPgn", "", () => this.copy("PGN", writePgn(this.game)), "Copy PGN"),
      button("copyCommand", "", () => this.copy("Command", this.game.command), "Copy command"));
    this.positionLink = lichessLink({ class: "control" }, "Position in Lichess");
    this.gameLink = lichessLink({ class: "control" }, "Game in Lichess");
    const links = element("div", { class: "controls copying" }, this.positionLink, this.gameLink);
    this.dialog = element("dialog", { class: "replay", "aria-labelledby": "replay-title" },
      element("div", { class: "layout" },
        heading,
        element("div", { class: "stage" }, this.board, controls),
        element("div", { class: "side" }, this.error, this.facts, this.moves, this.fen, copying, links),
        this.spoken,
        this.toast));
    document.body.append(this.dialog);
  }

  listen() {
    this.dialog.addEventListener("keydown", (event) => this.onKey(event));
    this.dialog.addEventListener("close", () => {
      this.pause();
      this.list.onClose(this.index);
    });
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.close();
      // A button clicked with the mouse would keep the focus, and Space would press it again instead of playing.
      else if (event.detail > 0 && event.target.closest("button")) this.board.focus();
    });
    this.moves.addEventListener("click", (event) => {
      const move = event.target.closest("button");
      if (move) this.goTo(Number(move.dataset.ply));
    });
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const onButton = event.target.closest("button");
    const actions = {
      ArrowLeft: () => this.goTo(this.ply - 1),
      ArrowRight: () => this.goTo(this.ply + 1),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.plies),
      ArrowUp: () => this.step(-1),
      ArrowDown: () => this.step(1),
      PageUp: () => this.step(-1),
      PageDown: () => this.step(1),
      f: () => this.flip(),
      ...(!onButton && { " ": () => this.toggle() }),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  get plies() {
    return this.game.uci.length;
  }

  open(index) {
    this.pause();
    this.index = index;
    this.game = readGame(this.data, index);
    const { ok, away, root, constraint, entrant, caption, agrees } = this.game;
    this.title.replaceChildren(...wholeWords(constraint));
    this.place.textContent = this.list.place(index);
    const missing = ok ? "" : `${NOT_FOUND}${away ? `, ${away} away` : ""}`;
    const plies = `${this.plies} ${this.plies === 1 ? "ply" : "plies"}`;
    this.facts.textContent = [missing, caption, plies, entrant, root ? `from ${root}` : ""].filter(Boolean).join(" · ");
    this.gameLink.href = lichessGame(this.game);
    this.facts.classList.toggle("warning", !ok);
    this.error.textContent = agrees ? "" : "The moves of this game do not lead to its final position.";
    this.listMoves();
    this.disable("up", this.list.neighbour(index, -1) === undefined);
    this.disable("down", this.list.neighbour(index, 1) === undefined);
    // Opened first, because a closed dialog cannot scroll its list of moves.
    if (!this.dialog.open) {
      this.dialog.showModal();
      this.board.focus();
    }
    this.goTo(this.plies);
    this.list.onOpen(index);
  }

  close() {
    this.dialog.close();
  }

  step(by) {
    const index = this.list.neighbour(this.index, by);
    if (index !== undefined) this.open(index);
  }

  listMoves() {
    const { san, positions } = this.game;
    this.moves.replaceChildren(
      ...san.flatMap((text, before) => {
        const position = positions[before];
        const move = element("button", { type: "button", tabindex: "-1", "data-ply": before + 1 }, text);
        if (!position.white && before > 0) return [move];
        const number = element("span", { class: "number" }, numberBefore(position, "…"));
        return position.white ? [number, move] : [number, element("span"), move];
      }),
    );
  }

  // Shows the position after `ply` plies. Stops playing unless `playing`, that is, if the reader chose the position.
  goTo(ply, playing = false) {
    if (!playing) this.pause();
    this.ply = Math.max(0, Math.min(ply, this.plies));
    const atEnd = this.ply === this.plies;
    const fen = fenAt(this.game, this.ply);
    drawBoard(this.board, this.game.positions[this.ply].board, {
      move: this.game.uci[this.ply - 1],
      marks: atEnd ? this.game.marks : [],
      flipped: this.flipped,
      coordinates: true,
    });
    this.fen.textContent = fen;
    this.positionLink.href = lichessPosition(fen);
    this.spoken.textContent = this.describe();
    this.board.setAttribute("aria-label", `${this.describe()}; ${fen}`);
    this.markMove();
    for (const name of ["first", "previous"]) this.disable(name, this.ply === 0);
    for (const name of ["next", "last"]) this.disable(name, atEnd);
  }

  // Not the attribute "disabled": a button that loses the focus while in use would confuse keyboard users.
  disable(name, disabled) {
    this.buttons[name].setAttribute("aria-disabled", disabled);
  }

  describe() {
    if (this.ply === 0) return "Start";
    return `${numberBefore(this.game.positions[this.ply - 1], "…")} ${this.game.san[this.ply - 1]}`;
  }

  markMove() {
    const current = this.moves.querySelector("[aria-current]");
    current?.removeAttribute("aria-current");
    current?.setAttribute("tabindex", "-1");
    const move = this.moves.querySelector(`[data-ply="${this.ply}"]`);
    if (!move) {
      this.moves.scrollTop = 0;
      return;
    }
    move.setAttribute("aria-current", "step");
    move.setAttribute("tabindex", "0");
    // Not scrollIntoView, which would also scroll the dialog.
    const hidden = move.offsetTop - this.moves.scrollTop;
    if (hidden < 0 || hidden > this.moves.clientHeight - move.offsetHeight) {
      this.moves.scrollTop = move.offsetTop - this.moves.clientHeight / 2;
    }
  }

  toggle() {
    if (this.timer) {
      this.pause();
      return;
    }
    if (this.ply === this.plies) this.goTo(0);
    this.timer = setInterval(() => {
      this.goTo(this.ply + 1, true);
      if (this.ply === this.plies) this.pause();
    }, MILLISECONDS_PER_MOVE);
    this.showPlaying();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.showPlaying();
  }

  showPlaying() {
    const label = this.timer ? "Pause (Space)" : "Play (Space)";
    this.buttons.play.replaceChildren(icon(this.timer ? "pause" : "play"));
    this.buttons.play.setAttribute("aria-label", label);
    this.buttons.play.title = label;
  }

  flip() {
    this.flipped = !this.flipped;
    this.goTo(this.ply, true);
  }

  async copy(what, text) {
    const copied = await this.toClipboard(text);
    this.toast.textContent = copied ? `${what} copied` : `${what} could not be copied`;
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => (this.toast.textContent = ""), 2000);
  }

  async toClipboard(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Browsers often refuse this to pages from files. The old method works inside the dialog, where an element can
      // have the focus.
      const area = element("textarea", { class: "spoken", "aria-hidden": "true" });
      area.value = text;
      const focused = document.activeElement;
      this.dialog.append(area);
      area.select();
      const copied = document.execCommand("copy");
      area.remove();
      focused.focus();
      return copied;
    }
  }
}
