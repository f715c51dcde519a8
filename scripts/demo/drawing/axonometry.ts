import { darken, lighten } from './color.ts';
import { group, polygon, polyline, type Attributes, type Point } from './svg.ts';

export type Point3 = readonly [x: number, y: number, z: number];

/**
 * A parallel projection: x runs to the right and down, y to the right and up into the depth, z straight up.
 * The nearest corner is where x is greatest and y least.
 */
export interface Axonometry {
  project(point: Point3): Point;
  /** A flat face through points in space. */
  face(points: readonly Point3[], look?: Attributes): string;
  /** An open line through points in space. */
  stroke(points: readonly Point3[], look?: Attributes): string;
  /** A box: its top, its front (least y) and its right side (greatest x). */
  box(corner: Point3, size: Point3, look: BoxLook): string;
}

export interface BoxLook {
  color: string;
  /** Outline of the faces. @default none */
  line?: string;
  lineWidth?: number;
}

export interface AxonometryOptions {
  /** Where the origin of space lies on the picture. */
  origin: Point;
  /** Pixels per unit. */
  scale: number;
  /** How far x falls and y rises, in degrees. @default 30 */
  xAngle?: number;
  /** @default 30 */
  yAngle?: number;
  /** Depth is drawn shortened by this factor. @default 1 */
  depth?: number;
}

export function axonometry({ origin, scale, xAngle = 30, yAngle = 30, depth = 1 }: AxonometryOptions): Axonometry {
  const [xa, ya] = [(xAngle * Math.PI) / 180, (yAngle * Math.PI) / 180];
  return spaceOf(([x, y, z]) => [
    origin[0] + scale * (x * Math.cos(xa) + y * depth * Math.cos(ya)),
    origin[1] + scale * (x * Math.sin(xa) - y * depth * Math.sin(ya) - z),
  ]);
}

/** The same space seen from a roof slope: u runs along the eaves, v up the slope, n away from it. `pitch` in degrees. */
export function onSlope(space: Axonometry, pitch: number, origin: Point3 = [0, 0, 0]): Axonometry {
  const [rise, run] = [Math.sin((pitch * Math.PI) / 180), Math.cos((pitch * Math.PI) / 180)];
  return spaceOf(([u, v, n]) =>
    space.project([origin[0] + u, origin[1] + v * run - n * rise, origin[2] + v * rise + n * run]),
  );
}

function spaceOf(project: (point: Point3) => Point): Axonometry {
  const face = (points: readonly Point3[], look: Attributes = {}) => polygon(points.map(project), look);
  return {
    project,
    face,
    stroke: (points, look = {}) => polyline(points.map(project), look),
    box: ([x, y, z], [w, d, h], { color, line, lineWidth = 2 }) => {
      const [X, Y, Z] = [x + w, y + d, z + h];
      const edge = line ? { stroke: line, 'stroke-width': lineWidth, 'stroke-linejoin': 'round' } : {};
      return group([
        face(
          [
            [x, y, Z],
            [X, y, Z],
            [X, Y, Z],
            [x, Y, Z],
          ],
          { fill: lighten(color, 0.16), ...edge },
        ),
        face(
          [
            [x, y, z],
            [X, y, z],
            [X, y, Z],
            [x, y, Z],
          ],
          { fill: color, ...edge },
        ),
        face(
          [
            [X, y, z],
            [X, Y, z],
            [X, Y, Z],
            [X, y, Z],
          ],
          { fill: darken(color, 0.16), ...edge },
        ),
      ]);
    },
  };
}
