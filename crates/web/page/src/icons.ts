/** The page's few line drawings, as SVG elements. They are decoration: the button around each carries the name. */

const PATHS = {
  first: 'M18 6l-7 6 7 6M7 6v12',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  last: 'M6 6l7 6-7 6M17 6v12',
  flip: 'M7 4v14M7 4L4 7M7 4l3 3M17 20V6M17 20l-3-3M17 20l3-3',
  close: 'M6 6l12 12M18 6L6 18',
  star: 'M12 4l2.400 5.100 5.600.700-4.100 3.800 1.100 5.500-5-2.800-5 2.800 1.100-5.500L4 9.800l5.600-.7z',
  play: 'M8 5l11 7-11 7z',
  stop: 'M7 7h10v10H7z',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  out: 'M14 5h5v5M19 5l-8 8M11 6H5v13h13v-6',
  link: 'M10 14l4-4M8 12l-2 2a3.500 3.500 0 0 0 5 5l2-2M16 12l2-2a3.500 3.500 0 0 0-5-5l-2 2',
  eraser: 'M5 15l8-9 6 5-7 8H8zM9 11l6 5M5 20h14',
  none: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M6.500 6.500l11 11',
  empty: 'M5 5h14v14H5z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2',
  moon: 'M19 14A8 8 0 0 1 10 5a7.500 7.500 0 1 0 9 9z',
  save: 'M12 4v11M12 15l-4-4M12 15l4-4M5 19h14',
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
