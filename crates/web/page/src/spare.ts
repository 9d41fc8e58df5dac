/** The tools that both boards have beside them: men to choose with a click or to drag onto the board, and the board's turn. */

import { button, h } from './dom';
import { icon } from './icons';
import { BLACK_MEN, WHITE_MEN, colourOf, nameOf, picture } from './men';
import type { SquareGrid } from './squaregrid';

/** How far a pointer moves before a click becomes a drag, in pixels. */
const DRAG = 6;

export interface SpareMen {
  element: HTMLElement;
  /** Shows which of the men are chosen. */
  press: (isChosen: (man: string) => boolean) => void;
}

export function spareMen(grid: SquareGrid, onChoose: (man: string) => void, onDrop: (man: string, square: string) => void): SpareMen {
  const tools = [...WHITE_MEN, ...BLACK_MEN].map((man) => {
    const tool = h('button', {
      type: 'button', class: `tool ${colourOf(man)}`, 'aria-label': nameOf(man), title: nameOf(man), 'data-man': man,
    }, picture(man));
    listen(tool, man, grid, () => onChoose(man), (square) => onDrop(man, square));
    return tool;
  });
  return {
    element: h('div', { class: 'tools men', role: 'group', 'aria-label': 'Man to place' }, ...tools),
    press: (isChosen) => { for (const each of tools) each.setAttribute('aria-pressed', String(isChosen(each.dataset.man ?? ''))); },
  };
}

/** The button that turns the board. */
export function turner(grid: SquareGrid): HTMLElement {
  const element = button(icon('flip'), () => grid.turn(), { class: 'tool wide' });
  element.append('Turn');
  return element;
}

/** A click chooses the man; a drag lets a picture of it follow the pointer to a square. */
function listen(tool: HTMLElement, man: string, grid: SquareGrid, onChoose: () => void, onDrop: (square: string) => void): void {
  let start: PointerEvent | null = null;
  let ghost: HTMLElement | null = null;
  let isDragged = false;
  const end = () => {
    ghost?.remove();
    grid.markTarget(null);
    start = ghost = null;
  };
  tool.addEventListener('click', () => { if (!isDragged) onChoose(); });
  tool.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || start) return;
    start = event;
    tool.setPointerCapture(event.pointerId);
  });
  tool.addEventListener('pointermove', (event) => {
    if (!start || event.pointerId !== start.pointerId) return;
    if (!ghost) {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < DRAG) return;
      ghost = picture(man);
      ghost.classList.add('dragged-man');
      document.body.append(ghost);
    }
    ghost.style.left = `${event.clientX}px`;
    ghost.style.top = `${event.clientY}px`;
    grid.markTarget(grid.squareAtPoint(event));
  });
  tool.addEventListener('pointerup', (event) => {
    if (event.pointerId !== start?.pointerId) return;
    const square = ghost ? grid.squareAtPoint(event) : null;
    isDragged = ghost !== null;
    end();
    // A click follows at once, and belongs to the drag.
    setTimeout(() => { isDragged = false; });
    if (square) onDrop(square);
  });
  tool.addEventListener('lostpointercapture', end);
}
