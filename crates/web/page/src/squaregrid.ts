/**
 * A board of 64 cells to click, to drag over, and to walk over with the arrow keys. Composing and setting up diagrams
 * share it; what the cells show is drawn by its user.
 */

import { fill, h } from './dom';
import { FILES, RANKS, areaText, boxOf, fileOf, rankOf, squareAt, type Box } from './regions';

export interface GridUser {
  label: string;
  /** What a screen reader says for a square, after its name. */
  describe: (square: string) => string;
  onPick: (square: string) => void;
  /** After a drag over more than one square; without it, each square of the way is picked. */
  onArea?: (area: string) => void;
  /** A drag from a square with something to move, perhaps off the board; the squares of the way are not picked. */
  move?: { canMove: (square: string) => boolean; onMove: (from: string, to: string | null) => void };
  /** A key that is not an arrow; true if it was used. */
  onKey: (key: string, square: string) => boolean;
  /** Makes buttons of the letters and numbers at the edge. */
  onEdge?: (area: string) => void;
}

interface Area { box: Box; content: Node; classes: string }

export class SquareGrid {
  readonly element: HTMLElement;
  private readonly cells = new Map<string, HTMLElement>();
  private readonly board: HTMLElement;
  private readonly overlays = h('div', { class: 'overlays', 'aria-hidden': 'true' });
  private readonly drawn = h('div', { class: 'drawn-area', 'aria-hidden': 'true', hidden: true });
  private areas: Area[] = [];
  /** Whether Black's side is below. */
  private isTurned = false;
  private cursor = 'e4';
  private from: string | null = null;
  private to: string | null = null;
  /** Whether the squares of this press have been picked already. */
  private isPicked = false;
  /** Whether this press moves what stands on its first square, once it leaves that square. */
  private isMoving = false;

  constructor(private readonly user: GridUser) {
    this.board = h('div', { class: 'grid', role: 'grid', 'aria-label': user.label, 'aria-describedby': 'grid-help' });
    for (const rank of [...RANKS].reverse()) {
      const row = h('div', { class: 'grid-row', role: 'row' });
      for (const file of FILES) row.append(this.cell(file + rank));
      this.board.append(row);
    }
    this.board.append(this.overlays, this.drawn);
    this.listen();
    this.element = h('div', { class: 'grid-frame' }, this.edge('ranks', [...RANKS].reverse(), 'Rank'), this.board, this.edge('files', [...FILES], 'File'));
  }

  private cell(square: string): HTMLElement {
    const isDark = (fileOf(square) + rankOf(square)) % 2 === 0;
    const cell = h('div', {
      class: `cell ${isDark ? 'is-dark' : 'is-light'}`, role: 'gridcell', 'data-square': square, tabindex: square === this.cursor ? 0 : -1,
    });
    this.cells.set(square, cell);
    return cell;
  }

  private edge(kind: string, names: string[], word: string): HTMLElement {
    const { onEdge } = this.user;
    return h('div', { class: `edge ${kind}` }, ...names.map((name) => onEdge
      ? h('button', { type: 'button', 'aria-label': `${word} ${name}`, title: `${word} ${name}`, on: { click: () => onEdge(name) } }, name)
      : h('span', {}, name)));
  }

  /** Draws each cell: its content, and classes in addition to its colour. */
  paint(draw: (square: string) => { content?: Node | null; classes?: string }): void {
    for (const [square, cell] of this.cells) {
      const { content = null, classes = '' } = draw(square);
      cell.className = `cell ${cell.classList.contains('is-dark') ? 'is-dark' : 'is-light'} ${classes}`;
      fill(cell, content);
      const said = this.user.describe(square);
      cell.setAttribute('aria-label', said ? `${square}, ${said}` : square);
    }
  }

  /** Frames around areas, each with a small content. */
  frame(areas: Area[]): void {
    this.areas = areas;
    fill(this.overlays, ...areas.map(({ box, content, classes }) => {
      const element = h('div', { class: `area ${classes}` }, content);
      this.place(element, box);
      return element;
    }));
  }

  /** Turns the board: the elements change their order, so that they are read as they are seen. */
  turn(): void {
    this.isTurned = !this.isTurned;
    const reverse = (parent: Element) => parent.append(...[...parent.children].reverse());
    for (const list of this.element.querySelectorAll('.grid-row, .edge')) reverse(list);
    this.board.prepend(...[...this.board.querySelectorAll('.grid-row')].reverse());
    this.frame(this.areas);
  }

  /** The square at a point of the window, or null off the board. */
  squareAtPoint({ clientX, clientY }: { clientX: number; clientY: number }): string | null {
    const rect = this.board.getBoundingClientRect();
    const column = Math.floor(((clientX - rect.left) / rect.width) * 8);
    const row = Math.floor(((clientY - rect.top) / rect.height) * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return this.isTurned ? squareAt(7 - column, row) : squareAt(column, 7 - row);
  }

  /** Marks the square on which something that is dragged would land. */
  markTarget(square: string | null): void {
    this.drawn.hidden = square === null;
    if (square) this.place(this.drawn, boxOf(square)!);
  }

  private place(element: HTMLElement, { left, right, bottom, top }: Box): void {
    const [column, row] = this.isTurned ? [7 - right, 7 - top] : [left, bottom];
    element.style.left = `${column * 12.5}%`;
    element.style.bottom = `${row * 12.5}%`;
    element.style.width = `${(right - left + 1) * 12.5}%`;
    element.style.height = `${(top - bottom + 1) * 12.5}%`;
  }

  private listen(): void {
    this.board.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.from = this.to = this.squareAtPoint(event);
      this.board.setPointerCapture(event.pointerId);
      if (this.from) this.moveTo(this.from, true);
      event.preventDefault();
      // A finger may only begin to scroll, so what it does is decided when it moves or leaves.
      this.isMoving = this.from !== null && (this.user.move?.canMove(this.from) ?? false);
      this.isPicked = event.pointerType === 'mouse' && !this.user.onArea && !this.isMoving;
      if (this.isPicked && this.from) this.user.onPick(this.from);
    });
    this.board.addEventListener('pointermove', (event) => {
      if (!this.from) return;
      const square = this.squareAtPoint(event);
      if (square === this.to || (!square && !this.isMoving)) return;
      this.to = square;
      if (this.isMoving) this.markTarget(square);
      else if (this.user.onArea) this.showDrawn();
      else {
        if (!this.isPicked) this.user.onPick(this.from);
        this.isPicked = true;
        if (square) this.user.onPick(square);
      }
    });
    this.board.addEventListener('pointerup', () => this.release());
    this.board.addEventListener('pointercancel', () => this.clear());
    this.board.addEventListener('keydown', (event) => this.key(event));
    // A screen reader may move the focus by itself.
    this.board.addEventListener('focusin', (event) => {
      const square = (event.target as HTMLElement).dataset.square;
      if (square && square !== this.cursor) this.moveTo(square, false);
    });
    // A screen reader clicks without a pointer; such a click has no detail.
    this.board.addEventListener('click', (event) => {
      const square = (event.target as HTMLElement).closest<HTMLElement>('[data-square]')?.dataset.square;
      if (square && event.detail === 0) this.user.onPick(square);
    });
  }

  private showDrawn(): void {
    const box = this.from && this.to && this.from !== this.to ? boxOf(areaText(this.from, this.to)) : null;
    this.drawn.hidden = box === null;
    if (box) this.place(this.drawn, box);
  }

  private release(): void {
    const { from, to, isMoving } = this;
    this.clear();
    if (!from) return;
    if (isMoving && from !== to) {
      this.user.move?.onMove(from, to);
      return;
    }
    if (!to) return;
    if (from !== to) this.user.onArea?.(areaText(from, to));
    else if (!this.isPicked) this.user.onPick(from);
  }

  private clear(): void {
    this.from = this.to = null;
    this.isMoving = false;
    this.drawn.hidden = true;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const step = steps[event.key];
    const sense = this.isTurned ? -1 : 1;
    if (step) {
      const file = Math.min(7, Math.max(0, fileOf(this.cursor) + sense * step[0]));
      const rank = Math.min(7, Math.max(0, rankOf(this.cursor) + sense * step[1]));
      this.moveTo(squareAt(file, rank), true);
    } else if (event.key === 'Home' || event.key === 'End') {
      this.moveTo(squareAt((event.key === 'Home') !== this.isTurned ? 0 : 7, rankOf(this.cursor)), true);
    } else if (event.key === 'Enter' || event.key === ' ') this.user.onPick(this.cursor);
    else if (!this.user.onKey(event.key, this.cursor)) return;
    event.preventDefault();
  }

  private moveTo(square: string, isFocused: boolean): void {
    this.cells.get(this.cursor)?.setAttribute('tabindex', '-1');
    this.cursor = square;
    const cell = this.cells.get(square);
    cell?.setAttribute('tabindex', '0');
    if (isFocused) cell?.focus({ preventScroll: true });
  }
}
