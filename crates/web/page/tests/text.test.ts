/** Tests of the modules that only work on text. `scripts/page` runs them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyTool, askedOf, conditionOf, wordsOf, type Tool } from '../src/asked';
import { atomOf } from '../src/atoms';
import { lineOf, moveOf, standardCastling } from '../src/game';
import { DEFAULTS, bodyOf, readPlace, writePlace } from '../src/link';
import { append, cut, cutAll, replace } from '../src/parts';
import { faultOf, readDiagram, writeDiagram } from '../src/placement';
import { areaText, squaresOf } from '../src/regions';
import { suggestionsFor } from '../src/suggest';
import type { Part } from '../src/types';
import { wordsOfPart } from '../src/words';

/** The parts of a text whose conditions have no spaces in them. */
const partsOf = (text: string): Part[] => [...text.matchAll(/[^\s&,]+/g)].map((match) => ({
  start: Array.from(text.slice(0, match.index)).length,
  end: Array.from(text.slice(0, match.index)).length + Array.from(match[0]).length,
  text: match[0], words: [match[0]], men: '', is_negated: false, squares: [],
}));
const knights: Tool = { kind: 'men', letters: ['N'], isNegated: false };

test('a condition is added to all of the text', () => {
  assert.equal(append('', 'Q=0'), 'Q=0');
  assert.equal(append('Q=0 &', 'q=0'), 'Q=0 q=0');
  assert.equal(append('N@f5 | B@f5', 'q=0'), '(N@f5 | B@f5) q=0');
  assert.equal(append('(N@f5 | B@f5)', 'Q=0 | q=0'), '(N@f5 | B@f5) (Q=0 | q=0)');
  assert.equal(append('opening="a | b"', 'q=0'), 'opening="a | b" q=0');
});

test('a part is cut with the sign that joined it', () => {
  const text = 'Q=0 & q=0, N@f5';
  const [first, second, third] = partsOf(text);
  assert.equal(cut(text, first!), 'q=0, N@f5');
  assert.equal(cut(text, second!), 'Q=0 N@f5');
  assert.equal(cut(text, third!), 'Q=0 & q=0');
  assert.equal(cutAll(text, [first!, third!]), 'q=0');
  assert.equal(replace(text, second!, 'q=1'), 'Q=0 & q=1, N@f5');
});

test('places count characters, not UTF-16 units', () => {
  const text = '\u{1F600} Q=0';
  assert.equal(cut(text, partsOf(text)[1]!), '\u{1F600}');
});

test('areas have the shortest text', () => {
  assert.equal(areaText('f6', 'c3'), 'c3-f6');
  assert.equal(areaText('d8', 'd1'), 'd');
  assert.equal(areaText('a7', 'h7'), '7');
  assert.equal(areaText('a1', 'c8'), 'a-c');
  assert.equal(areaText('e4', 'e4'), 'e4');
  assert.equal(squaresOf('c3-d4').join(), 'c4,d4,c3,d3');
  assert.deepEqual(squaresOf('d-a'), []);
});

test('atoms are recognised by their form', () => {
  assert.deepEqual(atomOf('!N@f5'), { kind: 'square', men: 'N', where: 'f5', isNegated: true });
  assert.deepEqual(atomOf('N@a-c=0'), { kind: 'square', men: 'N', where: 'a-c', isNegated: true });
  assert.deepEqual(atomOf('R-r>=1'), { kind: 'count', men: 'R', minus: 'r', compare: '>=1' });
  assert.deepEqual(atomOf('material=KRPvKR'), { kind: 'material', white: 'KRP', black: 'KR' });
  for (const text of ['N@f9', 'passed(P)', 'N@outpost', 'P@d>=2', '']) assert.equal(atomOf(text), null);
});

test('a click adds, replaces and takes away', () => {
  const click = (text: string, tool: Tool, where: string) => applyTool(text, partsOf(text), tool, where);
  assert.equal(click('Q=0', knights, 'f5'), 'Q=0 N@f5');
  assert.equal(click('Q=0 N@f5', knights, 'f5'), 'Q=0');
  assert.equal(click('B@f5 Q=0', knights, 'f5'), 'N@f5 Q=0');
  assert.equal(click('!B@f5', knights, 'f5'), '!B@f5 N@f5');
  assert.equal(click('N@f5 P@f N@c3', { kind: 'eraser' }, 'f5'), 'P@f N@c3');
  assert.equal(click('P@f N@c3', { kind: 'eraser' }, 'f5'), 'N@c3');
  assert.equal(conditionOf({ kind: 'empty' }, 'c3-d4'), '[KQRBNPkqrbnp]@c3-d4=0');
  assert.equal(wordsOf(askedOf(partsOf('!N@f5 P@f')), 'f5'), 'no white knight; white pawn, anywhere in f');
});

test('squares are joined into one condition', () => {
  const tool: Tool = { ...knights, isJoined: true } as Tool;
  /** The one part of a text, which may have spaces in it. */
  const whole = (text: string): Part[] => (text === '' ? [] : [{ start: 0, end: text.length, text, words: [], men: '', squares: [], is_negated: false }]);
  const click = (text: string, where: string, used = tool) => applyTool(text, whole(text), used, where);
  assert.equal(click('', 'f5'), 'N@f5');
  assert.equal(click('N@f5', 'g5'), '(N@f5 | N@g5)');
  assert.equal(click('(N@f5 | N@g5)', 'h5'), '(N@f5 | N@g5 | N@h5)');
  assert.equal(click('(N@f5 | N@g5)', 'g5'), 'N@f5');
  assert.equal(click('N@f5', 'f5'), '');
  assert.equal(click('(n@f5 | n@g5)', 'h5'), '(n@f5 | n@g5) N@h5');
  assert.equal(click('(N@f5 | N@g5)', 'g5', { kind: 'eraser' }), 'N@f5');
});

test('plain words bring suggestions', () => {
  const chips = [{ group: 'Pawns', chips: [{ text: 'isolated(P@d)', title: "Isolated queen's pawn", help: '' }, { text: 'turn=white', title: 'White to move', help: '' }] }];
  const exercises = [{ name: 'forks', group: 'tactics', title: 'Forks by a knight', constraint: 'theme=fork best=[Nn]' }];
  const first = (text: string) => suggestionsFor(text, { version: '', limits: { positions: 1, seconds: 1 }, exercises, chips })[0]?.text;
  assert.equal(first('knight on f5'), 'N@f5');
  assert.equal(first('Black knight on f5 or g5'), '(n@f5 | n@g5)');
  assert.equal(first('Q=0 black rook on the d-file'), 'Q=0 r@d');
  assert.equal(first('no queens'), 'Q=0 q=0');
  assert.equal(first('no queens and white to move'), 'Q=0 q=0 turn=white');
  assert.equal(first('mate in two'), 'mate=2');
  assert.equal(first('isolated pawn'), 'isolated(P@d)');
  assert.equal(first('knigt fork'), 'theme=fork best=[Nn]');
  assert.equal(first('N@f5 Q=0'), undefined);
  assert.equal(first('zzz'), undefined);
});

test('simple conditions have short words', () => {
  const words = (text: string) => wordsOfPart({ start: 0, end: 0, text, words: ['the server'], men: '', squares: [], is_negated: false });
  assert.equal(words('Q=0'), 'no white queens');
  assert.equal(words('r>=1'), '1 or more black rooks');
  assert.equal(words('[RBN]>=4'), '4 or more white rooks, bishops and knights together');
  assert.equal(words('P@e=1'), '1 white pawn on the e-file');
  assert.equal(words('P@e-h>=2'), '2 or more white pawns on the files e to h');
  assert.equal(words('[rb]=0'), 'no black rooks or bishops');
  assert.equal(words('[Qq]=0'), 'the server');
  assert.equal(words('(N@f5 | N@g5 | N@h5)'), 'a white knight on f5, g5 or h5');
  assert.equal(words('(N@f5 | B@g5)'), 'the server');
  assert.equal(wordsOfPart({ start: 0, end: 0, text: 'k@8', words: [], men: '', squares: [], is_negated: false }, () => 'King at home'), 'King at home');
  assert.equal(words('R-r=1'), 'White has 1 rook more');
  assert.equal(words('R-r<=-2'), 'Black has at least 2 rooks more');
  assert.equal(words('R-r<=1'), 'the server');
  assert.equal(words('P>=0'), 'the server');
  assert.equal(words('[NB]@f5'), 'a white knight or white bishop on f5');
  assert.equal(words('!p@d'), 'no black pawn on the d-file');
  assert.equal(words('P@a-c'), 'a white pawn somewhere on the files a to c');
  assert.equal(words('[KQRBNPkqrbnp]@g1-h2=0'), 'nothing on g1 to h2');
  assert.equal(words('passed(P)'), 'the server');
});

test('a link is read back, and a bad one does no harm', () => {
  const request = { ...DEFAULTS, constraint: 'N@f5 & "x"#%', elo: 1500, count: 7, strict: true, seed: 0 };
  assert.deepEqual(readPlace(writePlace({ tab: 'proof', request, diagram: '8/8' })), { tab: 'proof', request, diagram: '8/8' });
  const bad = readPlace('#c=a%0Ab&n=9999&elo=1e9&w=-4&r=x&tab=__proto__&seed=1.5').request;
  assert.deepEqual(bad, { ...DEFAULTS, constraint: 'a b' });
  assert.deepEqual(bodyOf({ ...DEFAULTS, constraint: 'Q=0' }), { constraint: 'Q=0', count: 12, realism: 'auto', distinct: true, seconds: 3600 });
});

test('diagrams are read, written and judged', () => {
  const text = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR';
  assert.equal(writeDiagram(readDiagram(text)), text);
  assert.equal(faultOf(text), null);
  assert.match(faultOf('8/8')!, /8 ranks/);
  assert.match(faultOf('9/8/8/8/8/8/8/8')!, /neither/);
  assert.match(faultOf('8/7/8/8/8/8/8/8')!, /Rank 7 has 7/);
});

test('lines follow the rules', () => {
  const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  const line = lineOf(start, ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1c4', 'f8c5', 'e1g1']);
  assert.deepEqual(line.steps.map(({ san }) => san).slice(1), ['e4', 'e5', 'Nf3', 'Nc6', 'Bc4', 'Bc5', 'O-O']);
  assert.equal(lineOf(start, ['e2e4', 'e2e4']).isWhole, false);
  const before = line.steps.at(-2)!.fen;
  assert.equal(moveOf(before, 'O-O'), 'e1g1');
  assert.equal(moveOf(before, 'Ke9'), null);
  assert.equal(standardCastling(before, 'e1h1'), 'e1g1');
});
