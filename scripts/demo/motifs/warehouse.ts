import { axonometry, type Axonometry, type Point3 } from '../drawing/axonometry.ts';
import { darken, lighten } from '../drawing/color.ts';
import { at, ellipse, group, path, rect, type Point } from '../drawing/svg.ts';
import { INK, MOTIF_HEIGHT, MOTIF_WIDTH, outline, plate, TONES } from './plate.ts';
import { drawLoad, WAREHOUSE_SCALE, type Load } from './warehouse-loads.ts';

const edge = { line: INK, lineWidth: 2 } as const;
const DEPTH = 2.3;
const LEVELS = [0.12, 2.75, 5.2];
const BAY = 4.3;
const BAYS = 4;

/** A rack with pallets of rolls, cartons and boards; in front of it a pallet truck. */
export function drawWarehouse(): string {
  const sheet = plate();
  const space = axonometry({ origin: [-60, 716], scale: WAREHOUSE_SCALE, xAngle: 9, yAngle: 34, depth: 0.86 });
  sheet.add(
    hall(space),
    ...uprights(space, DEPTH),
    ...LEVELS.flatMap((level, i) => shelf(space, level, i)),
    ...uprights(space, 0),
    truck(space),
  );
  return sheet.toSvg();
}

function hall(space: Axonometry): string {
  const back = 4.6;
  return group([
    rect(0, 0, MOTIF_WIDTH, MOTIF_HEIGHT, { fill: '#e9e6de' }),
    ...Array.from({ length: 14 }, (_, i) =>
      space.stroke(
        [
          [i * 1.6 - 3, back, 0],
          [i * 1.6 - 3, back, 12],
        ],
        { stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.16 },
      ),
    ),
    space.face(
      [
        [-4, -9, 0],
        [24, -9, 0],
        [24, back, 0],
        [-4, back, 0],
      ],
      { fill: '#cfcabd', ...outline },
    ),
    space.face(
      [
        [-4, -1.05, 0.01],
        [24, -1.05, 0.01],
        [24, -0.86, 0.01],
        [-4, -0.86, 0.01],
      ],
      { fill: '#e3b23c' },
    ),
    ...[-2.9, -5.2].map((y) =>
      space.stroke(
        [
          [-4, y, 0],
          [24, y, 0],
        ],
        { stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.28 },
      ),
    ),
    ...Array.from({ length: 9 }, (_, i) =>
      space.stroke(
        [
          [i * 3 - 3, -9, 0],
          [i * 3 - 3, back, 0],
        ],
        { stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.28 },
      ),
    ),
  ]);
}

function uprights(space: Axonometry, y: number): string[] {
  return Array.from({ length: BAYS + 1 }, (_, i) => {
    const x = i * BAY;
    const holes = Array.from({ length: 26 }, (_, k): Point => space.project([x + 0.1, y, 0.4 + k * 0.3]));
    return group([
      space.box([x, y, 0], [0.2, 0.2, 8.6], { color: '#44708a', ...edge }),
      ...(y === 0 ? holes.map(([px, py]) => ellipse(px, py, 3, 4.5, { fill: '#16262f' })) : []),
      y === 0 ? space.box([x - 0.1, -0.14, 0], [0.42, 0.5, 0.5], { color: '#e3b23c', ...edge }) : '',
    ]);
  });
}

const LOADS: readonly (readonly Load[])[] = [
  ['rolls', 'boards', 'cartons', 'lying', 'boards', 'rolls', 'cartons', 'rolls'],
  ['cartons', 'lying', 'rolls', 'cartons', 'rolls', 'boards', 'lying', 'cartons'],
  ['boards', 'cartons', 'cartons', 'boards', 'lying', 'cartons', 'rolls', 'boards'],
];

/** The pallets of one level, then the beam in front of them. */
function shelf(space: Axonometry, level: number, index: number): string[] {
  const rear =
    index === 0
      ? ''
      : space.box([0, DEPTH, level - 0.3], [BAY * BAYS, 0.12, 0.26], { color: darken(TONES.accent, 0.12), ...edge });
  const pallets = Array.from({ length: BAYS * 2 }, (_, i) => {
    const x = 0.36 + Math.floor(i / 2) * BAY + (i % 2) * 2;
    return pallet(space, [x, 0.14, level], LOADS[index]?.[i] ?? 'cartons', i + index);
  });
  const beam =
    index === 0 ? '' : space.box([0.2, -0.02, level - 0.32], [BAY * BAYS, 0.14, 0.3], { color: TONES.accent, ...edge });
  return [rear, ...pallets, beam];
}

function pallet(space: Axonometry, [x, y, z]: Point3, load: Load, turn: number): string {
  const [w, d] = [1.72, 2.1];
  const skid = group([
    ...[0, 0.72, 1.44].map((dx) =>
      space.box([x + dx, y, z], [0.28, d, 0.14], { color: TONES.woodShade, ...edge, lineWidth: 1.4 }),
    ),
    space.box([x, y, z + 0.14], [w, d, 0.07], { color: TONES.wood, ...edge, lineWidth: 1.4 }),
  ]);
  const top: Point3 = [x, y, z + 0.21];
  return group([skid, drawLoad(space, load, top, turn)]);
}

/** A hand pallet truck that carries a half pallet of boards. */
function truck(space: Axonometry): string {
  const corner: Point3 = [8.2, -3.9, 0.16];
  const [x, y, z] = corner;
  const [hx, hy] = space.project([x - 0.5, y + 0.9, 0.7]);
  const grip: Point = [hx - 118, hy - 210];
  const wheel = (point: Point3) => {
    const [wx, wy] = space.project(point);
    return group([
      ellipse(wx, wy, 15, 17, { fill: TONES.dark, ...outline }),
      ellipse(wx, wy, 5, 6, { fill: TONES.steel }),
    ]);
  };
  return group([
    space.face(
      [
        [x - 0.9, y - 0.2, 0],
        [x + 3.3, y - 0.2, 0],
        [x + 3.3, y + 2.1, 0],
        [x - 0.9, y + 2.1, 0],
      ],
      { fill: INK, 'fill-opacity': 0.12 },
    ),
    space.box([x, y + 1.4, z], [3, 0.4, 0.16], { color: TONES.accent, ...edge }),
    space.box([x, y + 0.2, z], [3, 0.4, 0.16], { color: TONES.accent, ...edge }),
    space.box([x + 0.2, y, z + 0.18], [2.8, 2, 0.16], { color: TONES.wood, ...edge }),
    ...Array.from({ length: 5 }, (_, i) =>
      space.box([x + 0.26, y + 0.04, z + 0.34 + i * 0.27], [2.66, 1.9, 0.26], {
        color: i % 2 ? TONES.fibreBoard : lighten(TONES.fibreBoard, 0.08),
        ...edge,
        lineWidth: 1.5,
      }),
    ),
    ...[0.8, 2.1].map((dx) =>
      space.stroke(
        [
          [x + dx, y + 0.04, z + 0.3],
          [x + dx, y + 0.04, z + 1.69],
          [x + dx, y + 1.94, z + 1.69],
        ],
        { stroke: TONES.dark, 'stroke-width': 5 },
      ),
    ),
    space.box([x - 0.55, y + 0.5, z], [0.5, 1, 0.72], { color: darken(TONES.accent, 0.08), ...edge }),
    path(`M${at([hx, hy])}L${at(grip)}`, { stroke: INK, 'stroke-width': 13, 'stroke-linecap': 'round' }),
    path(`M${at([hx, hy])}L${at(grip)}`, { stroke: TONES.accent, 'stroke-width': 8, 'stroke-linecap': 'round' }),
    path(`M${at([grip[0] - 30, grip[1] + 14])}L${at([grip[0] + 34, grip[1] - 16])}`, {
      stroke: INK,
      'stroke-width': 15,
      'stroke-linecap': 'round',
    }),
    wheel([x - 0.3, y + 0.45, 0.12]),
    wheel([x + 2.8, y + 0.2, 0.1]),
  ]);
}
