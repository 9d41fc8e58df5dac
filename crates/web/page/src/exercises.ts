/** Exercises by name: one click puts the constraint in, a second button also starts. */

import { h } from './dom';
import { groupedList, type Grouped } from './groups';
import { icon } from './icons';
import { choose, request } from './request';
import { findPositions } from './running';
import type { Exercise } from './types';
import { vocabulary } from './vocabulary';

function draw(exercise: Exercise): HTMLElement {
  const pick = h('button', {
    type: 'button', class: 'exercise', title: exercise.constraint, 'data-constraint': exercise.constraint,
    'aria-pressed': String(request.value.constraint.trim() === exercise.constraint),
    on: { click: () => choose({ constraint: exercise.constraint }) },
  }, h('span', { class: 'exercise-title' }, exercise.title));
  const start = h('button', {
    type: 'button', class: 'start', 'aria-label': `Find positions: ${exercise.title}`, title: 'Find positions now',
    on: { click: () => {
      choose({ constraint: exercise.constraint });
      void findPositions();
    } },
  }, icon('play'));
  return h('div', { class: 'exercise-row' }, pick, start);
}

export function exercisesPanel(): HTMLElement {
  const list = groupedList<Exercise>({
    label: 'exercises', search: 'Search exercises', listClass: 'exercises', draw,
    textOf: ({ name, title, group, constraint }) => `${name} ${title} ${group} ${constraint}`,
  });
  vocabulary.watch((known) => {
    const groups: Grouped<Exercise>[] = [];
    for (const exercise of known?.exercises ?? []) {
      const group = groups.find((each) => each.group === exercise.group);
      if (group) group.items.push(exercise);
      else groups.push({ group: exercise.group, items: [exercise] });
    }
    list.set(groups, (exercise) => exercise.constraint === request.value.constraint.trim());
  });
  request.watch(({ constraint }) => {
    for (const each of list.element.querySelectorAll<HTMLElement>('.exercise')) {
      each.setAttribute('aria-pressed', String(each.dataset.constraint === constraint.trim()));
    }
  });
  return h('div', { class: 'exercises-panel' },
    h('p', { class: 'help' }, 'A click replaces what you want to see; add conditions under Compose.'), list.element);
}
