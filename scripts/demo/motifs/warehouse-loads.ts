import type { Axonometry, Point3 } from '../drawing/axonometry.ts';
import { lighten } from '../drawing/color.ts';
import { at, ellipse, group, path, rect } from '../drawing/svg.ts';
import { INK, outline, TONES } from './plate.ts';

/** What stands on a pallet: rolls upright or lying, cartons, boards. */
export type Load = 'rolls' | 'cartons' | 'boards' | 'lying';

/** Pixels per unit of the warehouse's space; round things are drawn in pixels. */
export const WAREHOUSE_SCALE = 88;

const edge = { line: INK, lineWidth: 2 } as const;

/** Draws a load onto a pallet whose upper left front corner is given; `turn` varies what lies there. */
export function drawLoad(space: Axonometry, load: Load, corner: Point3, turn: number): string {
  return LOADERS[load](space, corner, turn);
}

const LOADERS: Readonly<Record<Load, (space: Axonometry, corner: Point3, turn: number) => string>> = {
  cartons: (space, [x, y, z], turn) =>
    group(
      [0, 1, 2].flatMap((layer) =>
        layer === 2 && turn % 3 === 0
          ? []
          : [1, 0].flatMap((row) =>
              [0, 1].map((column) => {
                const corner: Point3 = [x + 0.04 + column * 0.84, y + 0.04 + row * 1.02, z + layer * 0.56];
                const [px, py] = space.project([corner[0] + 0.1, corner[1], corner[2] + 0.34]);
                return group([
                  space.box(corner, [0.8, 0.98, 0.55], { color: '#c8a273', ...edge, lineWidth: 1.4 }),
                  row === 0
                    ? path(`M${at([px, py])}l26 4l0 -20l-26 -4z`, { fill: '#f4f1ea', stroke: INK, 'stroke-width': 1 })
                    : '',
                ]);
              }),
            ),
      ),
    ),
  boards: (space, corner) =>
    group(
      Array.from({ length: 6 }, (_, i) =>
        space.box([corner[0] + 0.03, corner[1] + 0.04, corner[2] + i * 0.27], [1.66, 2, 0.26], {
          color: i % 2 ? TONES.fibreBoard : lighten(TONES.fibreBoard, 0.08),
          ...edge,
          lineWidth: 1.3,
        }),
      ),
    ),
  rolls: (space, [x, y, z], turn) =>
    group(
      [1, 0].flatMap((row) =>
        [0, 1, 2].map((column) =>
          standingRoll(space, [x + 0.3 + column * 0.56, y + 0.5 + row * 1.02, z], (column + row + turn) % 3),
        ),
      ),
    ),
  lying: (space, [x, y, z]) =>
    group(
      [
        [0, 3],
        [1, 2],
        [2, 1],
      ].flatMap(([layer = 0, count = 0]) =>
        Array.from({ length: count }, (_, i) =>
          lyingRoll(space, [x + 0.32 + layer * 0.27 + i * 0.54, y + 0.06, z + 0.27 + layer * 0.47]),
        ),
      ),
    ),
};

const ROLL_COLORS = [TONES.membraneLight, '#5d7482', '#e7e6e0'] as const;

function standingRoll(space: Axonometry, foot: Point3, kind: number): string {
  const color = ROLL_COLORS[kind] ?? TONES.membraneLight;
  const [bx, by] = space.project(foot);
  const r = 0.27 * WAREHOUSE_SCALE;
  const height = 1.62 * WAREHOUSE_SCALE;
  return group([
    path(
      `M${at([bx - r, by - height])}L${at([bx - r, by])}A${r} ${r * 0.42} 0 0 0 ${at([bx + r, by])}L${at([bx + r, by - height])}Z`,
      { fill: color, ...outline, 'stroke-width': 1.6 },
    ),
    rect(bx + r * 0.35, by - height, r * 0.65, height + r * 0.2, { fill: INK, 'fill-opacity': 0.13 }),
    path(
      `M${at([bx - r, by - height * 0.62])}A${r} ${r * 0.42} 0 0 0 ${at([bx + r, by - height * 0.62])}L${at([bx + r, by - height * 0.42])}A${r} ${r * 0.42} 0 0 1 ${at([bx - r, by - height * 0.42])}Z`,
      {
        fill: kind === 1 ? TONES.accent : TONES.membrane,
        stroke: INK,
        'stroke-width': 1.2,
      },
    ),
    ellipse(bx, by - height, r, r * 0.42, { fill: lighten(color, 0.4), ...outline, 'stroke-width': 1.6 }),
    ellipse(bx, by - height, r * 0.4, r * 0.17, { fill: '#8d744f', stroke: INK, 'stroke-width': 1.2 }),
  ]);
}

/** A roll lying with its axis into the depth. */
function lyingRoll(space: Axonometry, centre: Point3): string {
  const [fx, fy] = space.project(centre);
  const [bx, by] = space.project([centre[0], centre[1] + 1.9, centre[2]]);
  const r = 0.265 * WAREHOUSE_SCALE;
  const turn = Math.atan2(by - fy, bx - fx) + Math.PI / 2;
  const [ox, oy] = [Math.cos(turn) * r, Math.sin(turn) * r];
  return group([
    path(`M${at([fx + ox, fy + oy])}L${at([bx + ox, by + oy])}L${at([bx - ox, by - oy])}L${at([fx - ox, fy - oy])}Z`, {
      fill: '#7f97a5',
      ...outline,
      'stroke-width': 1.6,
    }),
    ellipse(fx, fy, r * 0.98, r, { fill: TONES.membraneLight, ...outline, 'stroke-width': 1.6 }),
    ellipse(fx, fy, r * 0.68, r * 0.7, { fill: 'none', stroke: INK, 'stroke-width': 1 }),
    ellipse(fx, fy, r * 0.34, r * 0.36, { fill: '#8d744f', stroke: INK, 'stroke-width': 1.4 }),
  ]);
}
