/** The compose board: pick a man, click squares, and the constraint gets the conditions. */

import { applyTool, askedOf, wordsOf, type Asked, type Tool } from './asked';
import { say } from './announce';
import { lettersOf } from './atoms';
import { edit, parts } from './checking';
import { button, fill, h } from './dom';
import { icon } from './icons';
import { isMan, nameOf, picture } from './men';
import { areaText, boxOf } from './regions';
import { Signal } from './signal';
import { spareMen, turner } from './spare';
import { SquareGrid } from './squaregrid';

const tool = new Signal<Tool>({ kind: 'men', letters: ['N'], isNegated: false });
let isSeveral = false;
let isJoined = false;

function pick(letter: string): void {
  const now = tool.value;
  const isNegated = now.kind === 'men' && now.isNegated;
  if (!isSeveral || now.kind !== 'men') {
    tool.set({ kind: 'men', letters: [letter], isNegated, isJoined });
    return;
  }
  const has = now.letters.includes(letter);
  const letters = has ? now.letters.filter((each) => each !== letter) : [...now.letters, letter];
  tool.set({ kind: 'men', letters: letters.length > 0 ? letters : [letter], isNegated, isJoined });
}

function ask(where: string, used: Tool = tool.value): void {
  void edit((text, known) => applyTool(text, known, used, where)).then(() => {
    const words = wordsOf(askedOf(parts.value), where);
    say(words ? `${where}: ${words}` : `${where}: anything`);
  });
}

/** What `man` on a square asks, with the boxes as they are ticked. */
function askMan(man: string, square: string): void {
  const isNegated = tool.value.kind === 'men' && tool.value.isNegated;
  ask(square, { kind: 'men', letters: [man], isNegated, isJoined });
}

/** Letters place men as in a FEN: Shift for White. */
function onKey(key: string, square: string): boolean {
  if (key === 'Delete' || key === 'Backspace') ask(square, { kind: 'eraser' });
  else if (key === '-' || key === '.') ask(square, { kind: 'empty' });
  else if (isMan(key)) askMan(key, square);
  else return false;
  return true;
}

function tokens(atomMen: string, isNegated: boolean): HTMLElement {
  const letters = lettersOf(atomMen);
  const content = atomMen === '-' || atomMen === '0'
    ? [h('span', { class: 'empty-sign' })]
    : letters.map((letter) => picture(letter));
  return h('span', { class: `tokens count-${Math.min(letters.length, 5)}${isNegated ? ' is-negated' : ''}` }, ...content);
}

function show(grid: SquareGrid, asked: Asked[]): void {
  const single = new Map<string, Asked[]>();
  for (const each of asked) {
    const square = each.squares[0];
    if (each.atom && each.squares.length === 1 && square) single.set(square, [...(single.get(square) ?? []), each]);
  }
  const others = new Set(asked.filter(({ atom }) => !atom).flatMap(({ squares }) => squares));
  grid.paint((square) => {
    const here = single.get(square) ?? [];
    // A man that stands here or elsewhere is drawn pale on each of the squares.
    const maybe = asked.filter(({ choice, squares }) => choice !== undefined && squares.includes(square));
    return {
      content: here.length + maybe.length === 0 ? null : h('span', { class: `stack${here.length === 0 ? ' is-maybe' : ''}` },
        ...here.map(({ atom }) => tokens(atom!.men, atom!.isNegated)), ...maybe.map(({ choice }) => tokens(choice!, false))),
      classes: `${here.length > 0 ? 'is-asked' : ''} ${others.has(square) ? 'is-named' : ''}`,
    };
  });
  grid.frame(asked.flatMap(({ atom, squares }) => {
    const box = atom && squares.length > 1 ? boxOf(atom.where) : null;
    return box && atom ? [{ box, content: tokens(atom.men, atom.isNegated), classes: atom.isNegated ? 'is-negated' : '' }] : [];
  }));
}

function palette(grid: SquareGrid): HTMLElement {
  const men = spareMen(grid, pick, askMan);
  const lettersNow = () => (tool.value.kind === 'men' ? tool.value.letters : ['N']);
  const negate = h('input', { type: 'checkbox', on: { change: () => {
    if (negate.checked) isJoined = false;
    tool.set({ kind: 'men', letters: lettersNow(), isNegated: negate.checked, isJoined });
  } } });
  const join = h('input', { type: 'checkbox', on: { change: () => {
    isJoined = join.checked;
    tool.set({ kind: 'men', letters: lettersNow(), isNegated: !isJoined && negate.checked, isJoined });
  } } });
  const several = h('input', { type: 'checkbox', on: { change: () => {
    isSeveral = several.checked;
    const now = tool.value;
    if (!isSeveral && now.kind === 'men') tool.set({ ...now, letters: now.letters.slice(0, 1) });
  } } });
  const empty = button(icon('empty'), () => tool.set({ kind: 'empty' }), { class: 'tool wide' });
  empty.append('Empty');
  const eraser = button(icon('eraser'), () => tool.set({ kind: 'eraser' }), { class: 'tool wide' });
  eraser.append('Eraser');
  const hint = h('p', { class: 'help', id: 'grid-help' });
  tool.watch((now) => {
    men.press((man) => now.kind === 'men' && now.letters.includes(man));
    empty.setAttribute('aria-pressed', String(now.kind === 'empty'));
    eraser.setAttribute('aria-pressed', String(now.kind === 'eraser'));
    negate.checked = now.kind === 'men' && now.isNegated;
    join.checked = isJoined;
    fill(hint, hintOf(now));
  });
  return h('div', { class: 'palette' },
    men.element,
    h('div', { class: 'tools', role: 'group', 'aria-label': 'Other tools' }, empty, eraser, turner(grid)),
    h('div', { class: 'checks' },
      h('label', { class: 'check' }, negate, 'Must not stand there'),
      h('label', { class: 'check' }, several, 'One of several men'),
      h('label', { class: 'check' }, join, 'On one of several squares')),
    hint);
}

function hintOf(now: Tool): string {
  const where = 'Click a square, drag over an area, or click a letter or number at the edge';
  const drag = 'Or drag a man onto the board.';
  if (now.kind === 'eraser') return 'Click a square to remove what is asked of it.';
  if (now.kind === 'empty') return `${where}: all of it must be empty.`;
  const men = now.letters.map((letter) => `${now.isNegated ? 'no' : 'a'} ${nameOf(letter)}`).join(' or ');
  if (now.isJoined) return `Click all squares that will do, one after the other: ${men} must stand on one of them. A second click takes a square away.`;
  if (isSeveral && now.letters.length === 1) return `Choose more men above. ${where}: one of the men must stand there.`;
  return `${where}: ${men} ${now.isNegated ? 'may stand' : 'must stand somewhere'} there. ${drag} With the keyboard: arrows, letters (capital for White), Delete.`;
}

export function composeBoard(): HTMLElement {
  let asked: Asked[] = [];
  const grid = new SquareGrid({
    label: 'Compose board',
    describe: (square) => wordsOf(asked, square),
    onPick: (square) => ask(square),
    onArea: (area) => ask(area),
    onEdge: (name) => ask(areaText(/[a-h]/.test(name) ? `${name}1` : `a${name}`, /[a-h]/.test(name) ? `${name}8` : `h${name}`)),
    onKey,
  });
  parts.watch((now) => {
    asked = askedOf(now);
    show(grid, asked);
  });
  return h('section', { class: 'compose-board', 'aria-labelledby': 'on-the-board' },
    h('h3', { id: 'on-the-board' }, 'On the board'),
    h('div', { class: 'board-and-tools' }, grid.element, palette(grid)));
}
