/** The language in short, with examples that are added by a click. */

import { edit } from './checking';
import { h } from './dom';
import { append } from './parts';

const EXAMPLES: [string, string][] = [
  ['no queens', 'Q=0 q=0'],
  ['White is a rook ahead', 'R-r=1'],
  ['a rook and a pawn against a rook', 'material=KRPvKR'],
  ['a white knight on f5', 'N@f5'],
  ['White has a knight or bishop on f5', '[NB]@f5'],
  ['no black pawn on the d-file', '!p@d'],
  ['an isolated queen\u2019s pawn', 'isolated(P@d) P@d=1'],
  ['a rook on the seventh rank, the king cut off', 'R@7 k@8'],
  ['a pawn chain as in the French', 'P@e5 P@d4 p@e6 p@d5'],
  ['a passed pawn on the queenside', 'passed(P@a-d)'],
  ['a black piece hangs, White to move', 'hanging([nbrq]) turn=white'],
  ['a knight attacks king and queen', 'attacks(N, [kq])=2'],
  ['one move wins, by a fork', 'theme=fork'],
  ['mate in two', 'mate=2'],
  ['behind, but one move saves the game', 'hold'],
  ['from the Najdorf', 'opening="Sicilian, Najdorf"'],
  ['castled on opposite wings', 'castled=opposite'],
  ['one of two things', '(N@f5 | B@f5)'],
];

export function writingPanel(): HTMLElement {
  return h('div', { class: 'writing' },
    h('p', {}, 'Write into the field “What you want to see”. Men have their FEN letters: ', h('code', {}, 'KQRBNP'), ' for White, ', h('code', {}, 'kqrbnp'),
      ' for Black. Several letters in brackets mean any of these men. Conditions next to each other must all hold; ', h('code', {}, '|'), ' is “or”, and ', h('code', {}, '!'), ' is “not”.'),
    h('p', {}, 'A click adds an example:'),
    h('ul', { class: 'examples' }, ...EXAMPLES.map(([words, text]) => h('li', {}, h('button', {
      type: 'button', class: 'example', on: { click: () => void edit((now) => append(now, text)) },
    }, h('code', {}, text), h('span', {}, words))))));
}
