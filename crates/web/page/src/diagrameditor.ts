/** Sets up a diagram: men to place, a FEN field, and the side to move. */

import { say, tell } from './announce';
import { button, field, fill, h, select } from './dom';
import { icon } from './icons';
import { isMan, nameOf, picture } from './men';
import { START_PLACEMENT, faultOf, movedMan, readDiagram, writeDiagram, type Diagram } from './placement';
import { diagram, setDiagram } from './request';
import { Signal } from './signal';
import { spareMen, turner } from './spare';
import { SquareGrid } from './squaregrid';

/** The man that a click places; null erases. */
const hand = new Signal<string | null>('P');

const now = (): Diagram => readDiagram(diagram.value);

const isKing = (man: string | null | undefined): man is string => man?.toLowerCase() === 'k';

/** Puts a man on a square. A king is moved, and never goes away: a board always has both kings. */
function put(square: string, man: string | null): void {
  const { men } = now();
  const there = men.get(square);
  if (isKing(there) && there !== man) {
    tell(`A board always has both kings: drag the ${nameOf(there)} to another square first`);
    return;
  }
  if (isKing(man)) {
    const next = new Map([...men].filter(([, each]) => each !== man)).set(square, man);
    setDiagram(writeDiagram({ men: next, turn: now().turn }));
    say(`${square}: ${nameOf(man)}`);
    return;
  }
  setDiagram(writeDiagram(movedMan(now(), square, man)));
  say(`${square}: ${man ? nameOf(man) : 'empty'}`);
}

/** Moves a man, or takes it off the board; what stood on the square goes away, unless it is a king. */
function move(from: string, to: string | null): void {
  if (to === null) {
    put(from, null);
    return;
  }
  const { men, turn } = now();
  const [man, there] = [men.get(from), men.get(to)];
  if (!man) return;
  if (isKing(there)) {
    tell('A board always has both kings');
    return;
  }
  const next = new Map(men).set(to, man);
  next.delete(from);
  setDiagram(writeDiagram({ men: next, turn }));
  say(`${nameOf(man)} from ${from} to ${to}`);
}

function fenField(): HTMLElement {
  const input = h('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', placeholder: START_PLACEMENT, maxlength: 200 });
  const fault = h('p', { class: 'error', role: 'status' });
  // A placement alone leaves the side to move as it is.
  input.addEventListener('input', () => {
    const [placement = '', ...others] = input.value.trim().split(/\s+/);
    const rest = diagram.value.trim().split(/\s+/).slice(1);
    setDiagram([placement, ...(others.length > 0 ? others : rest)].join(' ').trim());
  });
  diagram.watch((text) => {
    const placement = text.trim().split(/\s+/)[0] ?? '';
    if ((input.value.trim().split(/\s+/)[0] ?? '') !== placement) input.value = placement;
    const problem = text === '' ? null : faultOf(text);
    fault.textContent = problem ?? '';
    input.setAttribute('aria-invalid', String(problem !== null));
  });
  const row = field('Diagram or FEN', input);
  row.append(fault);
  return row;
}

export function diagramEditor(marked: Signal<string[]>): HTMLElement {
  const grid: SquareGrid = new SquareGrid({
    label: 'Diagram',
    describe: (square) => {
      const man = now().men.get(square);
      return man ? nameOf(man) : 'empty';
    },
    onPick: (square) => {
      const there = now().men.get(square);
      if (isKing(there) && there === hand.value) say(`${square}: ${nameOf(there)}`);
      else put(square, hand.value === there ? null : hand.value);
    },
    move: { canMove: (square) => now().men.has(square), onMove: move },
    onKey: (key, square) => {
      if (key === 'Delete' || key === 'Backspace') put(square, null);
      else if (isMan(key)) put(square, key);
      else return false;
      return true;
    },
  });
  const draw = () => {
    const { men } = now();
    grid.paint((square) => {
      const man = men.get(square);
      return { content: man ? picture(man) : null, classes: marked.value.includes(square) ? 'is-marked' : '' };
    });
  };
  diagram.watch(draw);
  marked.watch(draw);

  const spare = spareMen(grid, (man) => hand.set(man), (man, square) => put(square, man));
  hand.watch((chosen) => spare.press((man) => man === chosen));
  const eraser = button(icon('eraser'), () => hand.set(null), { class: 'tool wide' });
  eraser.append('Eraser');
  hand.watch((man) => eraser.setAttribute('aria-pressed', String(man === null)));
  const turn = select([['', 'Either side'], ['white', 'White to move'], ['black', 'Black to move']], '', (value) =>
    setDiagram(writeDiagram({ men: now().men, turn: value === 'white' || value === 'black' ? value : null })));
  diagram.watch(() => { turn.value = now().turn ?? ''; });
  const help = h('p', { class: 'help' });
  fill(help, 'Click squares to place the man, and again to remove it. Drag men onto the board, over it, or off it. With the keyboard: arrows, letters (capital for White), Delete.');
  return h('div', { class: 'board-and-tools' }, grid.element, h('div', { class: 'palette' },
    spare.element,
    h('div', { class: 'tools' }, eraser, turner(grid),
      button('Start position', () => setDiagram(START_PLACEMENT), { class: 'tool wide' }),
      button('Kings only', () => setDiagram('4k3/8/8/8/8/8/8/4K3'), { class: 'tool wide' })),
    help, field('Side to move', turn), fenField()));
}
