import { darken, lighten } from '../drawing/color.ts';
import { at, group, path, polygon, rect, type Point } from '../drawing/svg.ts';
import { letter } from '../lettering/letter.ts';
import { INK, outline, TONES } from './plate.ts';

/** Height of the ground under the house, in pixels. */
export const GROUND = 838;
const HOUSE = { left: 420, right: 1060, eaves: 470, ridge: 196 } as const;
const MIDDLE = (HOUSE.left + HOUSE.right) / 2;

const timber = { fill: TONES.wood, ...outline } as const;

/** Sole plate, studs, beam, rafters and collar tie; a cap of snow on whatever lies flat or slopes. */
export function drawGable(): string {
  const { left, right, eaves, ridge } = HOUSE;
  const studs = [left, left + 128, left + 256, right - 276, right - 148, right - 20];
  const depth: Point = [70, -34];
  const behind = studs.map((x) =>
    rect(x + depth[0], eaves + depth[1], 18, GROUND - eaves, {
      fill: darken(TONES.wood, 0.25),
      ...outline,
      'stroke-width': 1.6,
    }),
  );
  const rafter = (side: -1 | 1, shift: Point, color: string) => {
    const foot: Point = [MIDDLE + side * 398 + shift[0], eaves + 56 + shift[1]];
    const top: Point = [MIDDLE + shift[0], ridge + shift[1]];
    return polygon([foot, top, [top[0], top[1] + 40], [foot[0] - side * 24, foot[1] + 22]], {
      fill: color,
      ...outline,
    });
  };
  const purlin = (share: number, side: -1 | 1): string => {
    const x = MIDDLE + side * 398 * share;
    const y = ridge + (eaves + 56 - ridge) * share;
    return polygon(
      [
        [x - 14, y - 6],
        [x + 14, y - 6],
        [x + 14 + depth[0], y - 6 + depth[1]],
        [x - 14 + depth[0], y - 6 + depth[1]],
      ],
      { fill: darken(TONES.wood, 0.12), ...outline, 'stroke-width': 1.6 },
    );
  };
  return group([
    ...behind,
    rafter(-1, depth, darken(TONES.wood, 0.22)),
    rafter(1, depth, darken(TONES.wood, 0.22)),
    snow(
      [
        [MIDDLE - 398 + depth[0], eaves + 56 + depth[1]],
        [MIDDLE + depth[0], ridge + depth[1]],
        [MIDDLE + 398 + depth[0], eaves + 56 + depth[1]],
      ],
      13,
    ),
    ...[0.34, 0.67].flatMap((share) => [purlin(share, -1), purlin(share, 1)]),
    rect(left - 26, GROUND - 40, right - left + 52, 34, { fill: TONES.concrete, ...outline }),
    rect(left, GROUND - 62, right - left, 22, timber),
    ...studs.map((x) => rect(x, eaves, 20, GROUND - eaves - 62, timber)),
    ...[0, 1, 2].map((i) =>
      polygon(
        [
          [left + 20, GROUND - 62 - i * 4],
          [left + 34, GROUND - 62],
          [left + 128, eaves + 44],
          [left + 128, eaves + 24],
        ],
        i === 0 ? timber : { fill: 'none' },
      ),
    ),
    rect(studs[2] ?? 0, 610, (studs[3] ?? 0) - (studs[2] ?? 0) + 20, 22, timber),
    rect(left - 10, eaves - 24, right - left + 20, 28, timber),
    rect(MIDDLE - 200, 342, 400, 22, timber),
    rect(MIDDLE - 11, ridge + 30, 22, eaves - ridge - 52, timber),
    rafter(-1, [0, 0], TONES.wood),
    rafter(1, [0, 0], lighten(TONES.wood, 0.12)),
    snow(
      [
        [MIDDLE - 398, eaves + 56],
        [MIDDLE, ridge],
        [MIDDLE + 398, eaves + 56],
      ],
      19,
    ),
    snow(
      [
        [MIDDLE - 198, 342],
        [MIDDLE - 12, 342],
      ],
      8,
    ),
    snow(
      [
        [MIDDLE + 14, 342],
        [MIDDLE + 196, 342],
      ],
      8,
    ),
    snow(
      [
        [left - 26, GROUND - 40],
        [right + 26, GROUND - 40],
      ],
      9,
    ),
    snow(
      [
        [(studs[2] ?? 0) + 22, 610],
        [(studs[3] ?? 0) - 2, 610],
      ],
      7,
    ),
    membraneRoll(),
  ]);
}

/** A layer of snow along a line, softly rounded at its ends. */
export function snow(points: readonly Point[], thickness: number): string {
  const upper = points.map(([x, y]): Point => [x, y - thickness * 0.42]);
  const d = `M${upper.map(at).join('L')}`;
  return group([
    path(d, {
      fill: 'none',
      stroke: INK,
      'stroke-width': thickness + 3.4,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
    path(d, {
      fill: 'none',
      stroke: TONES.snow,
      'stroke-width': thickness,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
  ]);
}

/** A bay that has been closed already, in the colour of the membrane. */
function membraneRoll(): string {
  const { left, eaves } = HOUSE;
  return group([
    rect(left + 148, eaves + 4, 108, GROUND - eaves - 66, { fill: TONES.membrane, ...outline }),
    rect(left + 148, 640, 108, 20, { fill: TONES.accent, ...outline, 'stroke-width': 1.4 }),
    ...[540, 760].map((y) =>
      letter('DIFFRANA', {
        x: left + 202,
        y,
        size: 17,
        weight: 600,
        anchor: 'middle',
        tracking: 0.06,
        fill: '#ffffff',
        opacity: 0.65,
      }),
    ),
  ]);
}
