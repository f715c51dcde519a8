import { letter, letteringWidth } from '../lettering/letter.ts';
import { group, polygon, type Point } from './svg.ts';

/** Colours of the house, independent of the product lines. */
export const HOUSE = { ink: '#1c2b33', grey: '#6b757b', paper: '#f4f2ee', accent: '#d9572b' } as const;

/**
 * The sign of the maker: two slopes of a spoil heap (Halde), the nearer one lit. Drawn into a square of `size`
 * with its upper left corner at the origin.
 */
export function signShapes(size: number): { far: Point[]; near: Point[] } {
  const s = size / 24;
  return {
    far: [
      [1 * s, 21 * s],
      [9.5 * s, 4 * s],
      [14 * s, 13 * s],
      [10 * s, 21 * s],
    ],
    near: [
      [12 * s, 21 * s],
      [17.5 * s, 10 * s],
      [23 * s, 21 * s],
    ],
  };
}

export interface WordmarkOptions {
  x: number;
  /** The baseline. */
  y: number;
  /** Size of the lettering's em in user units. */
  size: number;
  /** @default HOUSE.ink */
  ink?: string;
  /** @default HOUSE.accent */
  accent?: string;
}

/** Sign and name in one line. */
export function wordmark({ x, y, size, ink = HOUSE.ink, accent = HOUSE.accent }: WordmarkOptions): string {
  const { far, near } = signShapes(size * 1.05);
  const sign = group([polygon(far, { fill: ink }), polygon(near, { fill: accent })], {
    transform: `translate(${x} ${y - size * 0.92})`,
  });
  return (
    sign + letter('HALDENWERK', { x: x + size * 1.25, y, size: size * 0.86, weight: 700, tracking: 0.06, fill: ink })
  );
}

/** Width of the wordmark in user units. */
export function wordmarkWidth(size: number): number {
  return size * 1.25 + letteringWidth('HALDENWERK', size * 0.86, 700, 0.06);
}
