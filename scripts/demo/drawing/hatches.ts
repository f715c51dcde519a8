import type { Canvas } from './canvas.ts';
import { darken } from './color.ts';
import { seededRandom } from './random.ts';
import { circle, group, line, path, rect, type Point } from './svg.ts';

/** Soft insulation: the looped line that section drawings use, filling the rectangle. */
export function softInsulation(x: number, y: number, width: number, height: number, color: string): string {
  const upright = height > width;
  const [long, wide] = upright ? [height, width] : [width, height];
  const pitch = Math.max(26, wide * 0.34);
  const turns = Math.max(1, Math.round(long / pitch));
  const step = long / turns;
  const point = (along: number, across: number): string =>
    upright
      ? `${(x + across).toFixed(1)} ${(y + along).toFixed(1)}`
      : `${(x + along).toFixed(1)} ${(y + across).toFixed(1)}`;
  let d = `M${point(0, wide)}`;
  for (let i = 0; i < turns; i++) {
    const a = i * step;
    d += `C${point(a + step * 0.52, wide)} ${point(a - step * 0.02, 0)} ${point(a + step * 0.5, 0)}`;
    d += `S${point(a + step * 0.48, wide)} ${point(a + step, wide)}`;
  }
  return group([
    rect(x, y, width, height, { fill: color }),
    path(d, { fill: 'none', stroke: darken(color, 0.42), 'stroke-width': 1.8, 'stroke-opacity': 0.75 }),
  ]);
}

/** Parallel lines at 45 degrees: masonry, or wood seen along its grain where they lie close. Returns a paint. */
export function diagonal(sheet: Canvas, color: string, gap: number, ink: string, opacity = 0.5): string {
  const tile =
    rect(0, 0, gap, gap, { fill: color }) +
    line([0, 0], [0, gap], { stroke: ink, 'stroke-width': 2.4, 'stroke-opacity': opacity });
  return sheet.pattern(gap, gap, tile, { patternTransform: 'rotate(45)' });
}

/** Concrete: an even ground with stones and sand. Returns the shapes; clip them to the part they fill. */
export function concrete(x: number, y: number, width: number, height: number, color: string, seed: string): string {
  const random = seededRandom(seed);
  const count = Math.round((width * height) / 900);
  const ink = darken(color, 0.45);
  const grains = Array.from({ length: count }, () => {
    const at: Point = [x + random() * width, y + random() * height];
    const size = random();
    if (size < 0.72) return circle(at[0], at[1], 0.8 + random() * 1.5, { fill: ink, 'fill-opacity': 0.6 });
    const r = 5 + random() * 7;
    const corner = (turn: number) =>
      `${(at[0] + Math.cos(turn) * r).toFixed(1)} ${(at[1] + Math.sin(turn) * r * 0.8).toFixed(1)}`;
    const start = random() * 6;
    return path(`M${corner(start)}L${corner(start + 2)}L${corner(start + 4.2)}Z`, {
      fill: 'none',
      stroke: ink,
      'stroke-width': 1.4,
      'stroke-opacity': 0.6,
    });
  });
  return group([rect(x, y, width, height, { fill: color }), ...grains]);
}

/** End grain of a beam: year rings around a heart that lies outside it. Clip to the beam. */
export function endGrain(x: number, y: number, width: number, height: number, color: string, heart: Point): string {
  const far = Math.hypot(width, height) * 1.6;
  const rings = Array.from({ length: Math.ceil(far / 13) }, (_, i) =>
    circle(heart[0], heart[1], 12 + i * 13 + (i % 3) * 2.5, {
      fill: 'none',
      stroke: darken(color, 0.3),
      'stroke-width': i % 4 === 0 ? 2.2 : 1.3,
      'stroke-opacity': 0.5,
    }),
  );
  return group([rect(x, y, width, height, { fill: color }), ...rings]);
}
