export type Attributes = Record<string, string | number | undefined>;
export type Point = readonly [x: number, y: number];

/** `<name a="1">children</name>`; attributes that are undefined are left out, numbers are rounded to 0.01. */
export function tag(name: string, attributes: Attributes, children = ''): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : value}"`)
    .join('');
  return children ? `<${name}${written}>${children}</${name}>` : `<${name}${written}/>`;
}

export function rect(x: number, y: number, width: number, height: number, look: Attributes = {}): string {
  return tag('rect', { x, y, width, height, ...look });
}

export function circle(cx: number, cy: number, r: number, look: Attributes = {}): string {
  return tag('circle', { cx, cy, r, ...look });
}

export function ellipse(cx: number, cy: number, rx: number, ry: number, look: Attributes = {}): string {
  return tag('ellipse', { cx, cy, rx, ry, ...look });
}

export function path(d: string, look: Attributes = {}): string {
  return tag('path', { d, ...look });
}

export function line(from: Point, to: Point, look: Attributes = {}): string {
  return path(`M${at(from)}L${at(to)}`, { fill: 'none', ...look });
}

/** A closed area through the points. */
export function polygon(points: readonly Point[], look: Attributes = {}): string {
  return path(`M${points.map(at).join('L')}Z`, look);
}

/** An open line through the points. */
export function polyline(points: readonly Point[], look: Attributes = {}): string {
  return path(`M${points.map(at).join('L')}`, { fill: 'none', ...look });
}

/** `look` may carry a `transform`, a `clip-path`, an `opacity`, … for all children. */
export function group(children: readonly string[], look: Attributes = {}): string {
  return tag('g', look, children.join(''));
}

/** A point as path data writes it. */
export function at([x, y]: Point): string {
  return `${round(x)} ${round(y)}`;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
