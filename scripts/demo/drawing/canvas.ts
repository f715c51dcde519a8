import { tag, type Attributes } from './svg.ts';

export type Stop = readonly [offset: number, color: string, opacity?: number];

/** Collects the definitions that a picture refers to, and its parts in the order they are painted. */
export interface Canvas {
  add(...parts: string[]): void;
  /** A gradient along a line given in fractions of the painted shape's box. Returns a paint such as `url(#d1)`. */
  gradient(stops: readonly Stop[], from?: readonly [number, number], to?: readonly [number, number]): string;
  radial(stops: readonly Stop[], cx?: number, cy?: number, r?: number): string;
  /** Returns a value for `clip-path`. */
  clip(shapes: string): string;
  /** A tile that repeats. Returns a paint. */
  pattern(width: number, height: number, content: string, look?: Attributes): string;
  /** The whole document. */
  toSvg(): string;
}

export function canvas(width: number, height: number): Canvas {
  const definitions: string[] = [];
  const parts: string[] = [];
  const define = (name: string, attributes: Attributes, children: string) => {
    const id = `d${definitions.length}`;
    definitions.push(tag(name, { id, ...attributes }, children));
    return `url(#${id})`;
  };
  return {
    add: (...added) => void parts.push(...added),
    gradient: (stops, [x1, y1] = [0, 0], [x2, y2] = [0, 1]) =>
      define('linearGradient', { x1, y1, x2, y2 }, written(stops)),
    radial: (stops, cx = 0.5, cy = 0.5, r = 0.5) => define('radialGradient', { cx, cy, r }, written(stops)),
    clip: (shapes) => define('clipPath', {}, shapes),
    pattern: (tileWidth, tileHeight, content, look = {}) =>
      define('pattern', { width: tileWidth, height: tileHeight, patternUnits: 'userSpaceOnUse', ...look }, content),
    toSvg: () =>
      tag(
        'svg',
        { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
        tag('defs', {}, definitions.join('')) + parts.join(''),
      ),
  };
}

function written(stops: readonly Stop[]): string {
  return stops
    .map(([offset, color, opacity]) => tag('stop', { offset, 'stop-color': color, 'stop-opacity': opacity }))
    .join('');
}
