import type { Axonometry, Point3 } from './axonometry.ts';
import { darken, lighten } from './color.ts';
import { seededRandom } from './random.ts';
import { group, path } from './svg.ts';

export interface FibreField {
  /** A corner of the face and its two edges, in space. */
  corner: Point3;
  u: Point3;
  v: Point3;
  count: number;
  color: string;
  /** Longest fibre, as a share of the edge u. */
  length: number;
  seed: string;
}

/** Short, slightly bent strokes scattered over a face, mostly along u: wood fibre, OSB, fleece. */
export function fibres(space: Axonometry, { corner, u, v, count, color, length, seed }: FibreField): string {
  const random = seededRandom(seed);
  const point = (a: number, b: number): string => {
    const [x, y] = space.project([
      corner[0] + u[0] * a + v[0] * b,
      corner[1] + u[1] * a + v[1] * b,
      corner[2] + u[2] * a + v[2] * b,
    ]);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  // A fibre bends by a share of its own length, whatever the shape of the face.
  const slender = Math.hypot(...u) / Math.hypot(...v);
  const strokes: Record<string, string> = {};
  for (let i = 0; i < count; i++) {
    const [a, b] = [random(), random()];
    const reach = length * (0.35 + random() * 0.65);
    const bend = (random() - 0.5) * reach * slender * 0.9;
    const ink = i % 3 === 0 ? lighten(color, 0.3) : darken(color, i % 3 === 1 ? 0.16 : 0.3);
    const d = `M${point(a, b)}Q${point(inside(a + reach / 2), inside(b + bend))} ${point(inside(a + reach), inside(b + bend * 0.4))}`;
    strokes[ink] = (strokes[ink] ?? '') + d;
  }
  return group(
    Object.entries(strokes).map(([ink, d]) =>
      path(d, { fill: 'none', stroke: ink, 'stroke-width': 1.5, 'stroke-opacity': 0.55, 'stroke-linecap': 'round' }),
    ),
  );
}

function inside(share: number): number {
  return Math.min(1, Math.max(0, share));
}
