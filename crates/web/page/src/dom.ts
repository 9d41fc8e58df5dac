/**
 * Builds elements from plain calls. The page has no framework and never sets HTML from a string, so text from the server
 * or from a link can never become markup.
 */

export type Child = Node | string | number | null | undefined | false;
type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
export type Props = { on?: Listeners } & { [name: string]: string | number | boolean | null | undefined | Listeners };

/** An element with attributes, listeners (`on`) and children. `false` and null leave an attribute or a child out. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value as Listeners)) element.addEventListener(event, listener as EventListener);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  add(element, children);
  return element;
}

function add(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Replaces all children of an element. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  add(parent, children);
}

/** A push button. */
export function button(label: Child, onClick: () => void, props: Props = {}): HTMLButtonElement {
  return h('button', { type: 'button', class: 'button', ...props, on: { ...(props.on ?? {}), click: onClick } }, label);
}

/** A number that names an element, for labels and descriptions. */
let last = 0;
export function freshId(prefix: string): string {
  last += 1;
  return `${prefix}-${last}`;
}

/** A field with its label above it, and perhaps a sentence of help below it. */
export function field(label: string, control: HTMLElement, help?: string): HTMLElement {
  if (!control.id) control.id = freshId('field');
  let note: HTMLElement | null = null;
  if (help) {
    note = h('p', { class: 'help', id: freshId('help') }, help);
    control.setAttribute('aria-describedby', note.id);
  }
  return h('div', { class: 'field' }, h('label', { for: control.id }, label), control, note);
}

/** A drop-down list. */
export function select(options: [string, string][], value: string, onChange: (value: string) => void, props: Props = {}): HTMLSelectElement {
  const element = h('select', { ...props, on: { change: () => onChange(element.value) } });
  for (const [key, label] of options) element.append(h('option', { value: key }, label));
  element.value = value;
  return element;
}
