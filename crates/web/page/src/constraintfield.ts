/** The text of the constraint, its conditions as removable chips, and what the server says about it. */

import { copy } from './announce';
import { edit, reading, retry, type Reading } from './checking';
import { button, fill, h } from './dom';
import { icon } from './icons';
import { LONGEST } from './link';
import { titleOfChip } from './naming';
import { cut } from './parts';
import { change, choose, linkOfRequest, request } from './request';
import { findPositions } from './running';
import { suggestionsFor } from './suggest';
import type { Part } from './types';
import { vocabulary } from './vocabulary';
import { wordsOfPart } from './words';

function textField(): HTMLTextAreaElement {
  const area = h('textarea', {
    id: 'constraint', rows: 2, maxlength: LONGEST, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', autocorrect: 'off',
    placeholder: 'Choose an exercise, compose on the board, or write', 'aria-describedby': 'reading', 'data-testid': 'constraint',
  });
  area.addEventListener('input', () => change({ constraint: area.value.replace(/[\r\n]+/g, ' ') }));
  area.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    void findPositions();
  });
  request.watch(({ constraint }) => {
    // While someone types, only a different text is written, so that the caret stays where it is.
    if (area.value !== constraint) area.value = constraint;
  });
  return area;
}

function chip(part: Part): HTMLElement {
  const words = wordsOfPart(part, titleOfChip);
  return h('li', { class: 'part' },
    h('span', { class: 'part-words' }, words, ' ', h('code', {}, part.text)),
    h('button', { type: 'button', class: 'part-remove', 'aria-label': `Remove: ${words}`, title: 'Remove', on: { click: () => {
      void edit((text, known) => {
        const present = known.find((each) => each.start === part.start && each.text === part.text);
        return present ? cut(text, present) : text;
      });
    } } }, icon('close')));
}

/** The text with the word marked in which the error is. */
function marked(text: string, column: number | null): HTMLElement | null {
  if (column === null) return null;
  const letters = Array.from(text);
  const at = Math.min(Math.max(column - 1, 0), letters.length);
  const isWord = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter);
  let [from, to] = [at, at + 1];
  if (isWord(letters[at])) {
    while (isWord(letters[from - 1])) from -= 1;
    while (isWord(letters[to])) to += 1;
  }
  return h('p', { class: 'marked-text' }, h('code', {}, letters.slice(0, from).join(''), h('mark', {}, letters.slice(from, to).join('') || '\u00a0'), letters.slice(to).join('')));
}

/** Buttons with what may have been meant by plain words. */
function suggestions(text: string): HTMLElement | null {
  const known = suggestionsFor(text, vocabulary.value);
  if (known.length === 0) return null;
  return h('div', { class: 'suggestions' }, h('p', {}, 'Did you mean:'),
    ...known.map((each) => button(each.label, () => choose({ constraint: each.text }), { class: 'button suggestion', title: each.text })));
}

function show(now: Reading, list: HTMLElement, message: HTMLElement): void {
  if (now.state === 'checking') {
    message.classList.add('is-old');
    return;
  }
  message.classList.remove('is-old');
  message.dataset.state = now.state;
  if (now.state === 'empty') {
    fill(list);
    fill(message, h('p', { class: 'help' }, 'Here it is explained in words.'));
  } else if (now.state === 'wrong') {
    fill(list);
    fill(message, h('p', {}, h('strong', {}, 'This cannot be read. '), `${now.error}${now.column ? `, at character ${now.column}` : ''}`), marked(now.text, now.column), suggestions(now.text));
  } else if (now.state === 'offline') {
    fill(message, h('p', {}, now.error), button('Try again', () => void retry()));
  } else {
    fill(list, ...now.checked.parts.map(chip));
    fill(message, now.state === 'impossible' ? h('p', {}, h('strong', {}, 'Impossible. '), now.checked.reason ?? 'No legal game reaches such a position.') : null,
      now.checked.parts.length === 0 ? h('ul', { class: 'meaning' }, ...now.checked.meaning.map((line) => h('li', {}, line))) : null);
  }
}

export function constraintField(): HTMLElement {
  const list = h('ul', { class: 'parts', 'aria-label': 'Conditions, all of which must hold' });
  const message = h('div', { id: 'reading', class: 'reading', role: 'status' });
  const clear = button('Clear', () => {
    choose({ constraint: '' });
    document.querySelector<HTMLElement>('#constraint')?.focus();
  }, { class: 'button quiet' });
  const link = button(icon('link'), () => void copy(linkOfRequest(), 'Link'), { class: 'button quiet' });
  link.append('Copy link');
  const area = textField();
  reading.watch((now) => {
    show(now, list, message);
    area.setAttribute('aria-invalid', String(now.state === 'wrong' || now.state === 'impossible'));
  });
  request.watch(({ constraint }) => { clear.hidden = constraint === ''; });
  return h('div', { class: 'constraint' },
    h('div', { class: 'label-row' }, h('label', { for: 'constraint' }, 'What you want to see'), h('span', { class: 'label-tools' }, clear, link)),
    area, list, message);
}
