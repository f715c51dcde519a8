import { callout } from '../drawing/annotation.ts';
import { axonometry, type Axonometry, type Point3 } from '../drawing/axonometry.ts';
import { darken, lighten } from '../drawing/color.ts';
import { fibres } from '../drawing/fibres.ts';
import { group, path } from '../drawing/svg.ts';
import { INK, outline, plate, TONES } from './plate.ts';

const HEIGHT = 5.9;
const STUDS = [0, 2.15, 4.3, 6.45, 8.6];

/** A timber frame wall from the room side; each layer ends a step before the one behind it. */
export function drawTimberFrame(): string {
  const sheet = plate();
  const space = axonometry({ origin: [178, 752], scale: 94, xAngle: 13, yAngle: 36, depth: 0.95 });
  sheet.add(
    floor(space),
    cladding(space),
    sheathing(space),
    frame(space),
    membrane(space),
    serviceVoid(space),
    lining(space),
    notes(space),
  );
  return sheet.toSvg();
}

const edge = { line: INK, lineWidth: 2.2 } as const;

function floor(space: Axonometry): string {
  return space.box([-0.7, -1.7, -0.42], [13, 5.4, 0.4], { color: '#d9d5cb', ...edge });
}

function cladding(space: Axonometry): string {
  const boards = Array.from({ length: 13 }, (_, i) => [
    space.box([i * 0.9, 3.02, 0.12], [0.86, 0.16, HEIGHT - 0.3], { color: '#a8865e', ...edge, lineWidth: 1.6 }),
  ]).flat();
  const battens = [0.5, 2.7, 4.9].map((z) =>
    space.box([0, 2.72, z], [11.3, 0.3, 0.28], { color: TONES.woodShade, ...edge }),
  );
  return group([...boards, ...battens]);
}

function sheathing(space: Axonometry): string {
  const corner: Point3 = [0, 2.1, 0.1];
  return group([
    space.box(corner, [10.4, 0.6, HEIGHT - 0.2], { color: TONES.fibreBoard, ...edge }),
    fibres(space, {
      corner,
      u: [10.4, 0, 0],
      v: [0, 0, HEIGHT - 0.2],
      count: 900,
      color: TONES.fibreBoard,
      length: 0.03,
      seed: 'sheathing',
    }),
    fibres(space, {
      corner: [0, 2.1, HEIGHT - 0.1],
      u: [10.4, 0, 0],
      v: [0, 0.6, 0],
      count: 150,
      color: lighten(TONES.fibreBoard, 0.16),
      length: 0.03,
      seed: 'top',
    }),
    space.stroke(
      [
        [0, 2.1, 2.95],
        [10.4, 2.1, 2.95],
        [10.4, 2.7, 2.95],
      ],
      { ...outline, 'stroke-width': 1.6 },
    ),
  ]);
}

function frame(space: Axonometry): string {
  const depth = 1.45;
  const y = 0.62;
  const bays = STUDS.slice(0, -1).map((x) => insulation(space, [x + 0.3, y, 0.3], [1.85, depth, HEIGHT - 0.6]));
  const studs = STUDS.map((x) => space.box([x, y, 0.3], [0.3, depth, HEIGHT - 0.6], { color: TONES.wood, ...edge }));
  return group([
    space.box([0, y, 0], [9.2, depth, 0.3], { color: TONES.wood, ...edge }),
    ...STUDS.flatMap((_, i) => [studs[i] ?? '', bays[i] ?? '']),
    space.box([0, y, HEIGHT - 0.3], [8.9, depth, 0.3], { color: lighten(TONES.wood, 0.08), ...edge }),
  ]);
}

/** A bay filled with batts: loops on the face, the joint between two batts, a step at the top. */
function insulation(space: Axonometry, [x, y, z]: Point3, [w, d, h]: Point3): string {
  const rows = 11;
  const pitch = h / rows;
  const loops = Array.from({ length: rows }, (_, i) => {
    const points = Array.from({ length: 25 }, (_, k): Point3 => {
      const along = k / 24;
      return [x + w * along, y, z + pitch * (i + 0.5) + Math.sin(along * Math.PI * 6) * pitch * 0.3];
    });
    return space.stroke(points, { stroke: darken(TONES.insulation, 0.42), 'stroke-width': 1.4, 'stroke-opacity': 0.7 });
  });
  return group([
    space.box([x, y, z], [w, d, h], { color: TONES.insulation, ...edge, lineWidth: 1.4 }),
    ...loops,
    space.stroke(
      [
        [x, y, z + h * 0.52],
        [x + w, y, z + h * 0.52],
      ],
      { ...outline, 'stroke-width': 1.5 },
    ),
  ]);
}

/** The airtightness layer: the strongest colour of the picture, with a taped lap and its lower edge turned out. */
function membrane(space: Axonometry): string {
  const y = 0.56;
  const [a, b] = [0, 6.6];
  const lap = 3.1;
  return group([
    space.face(
      [
        [a, y, 0.02],
        [b, y, 0.02],
        [b, y, HEIGHT + 0.1],
        [a, y, HEIGHT + 0.1],
      ],
      { fill: TONES.membrane, ...outline },
    ),
    ...Array.from({ length: 16 }, (_, i) =>
      space.stroke(
        [
          [a + 0.41 * i, y, 0.02],
          [a + 0.41 * i, y, HEIGHT + 0.1],
        ],
        { stroke: '#ffffff', 'stroke-width': 1.2, 'stroke-opacity': 0.22 },
      ),
    ),
    space.face(
      [
        [a, y, lap],
        [b, y, lap],
        [b, y, lap + 0.3],
        [a, y, lap + 0.3],
      ],
      { fill: TONES.accent, ...outline, 'stroke-width': 1.4 },
    ),
    space.face(
      [
        [a, y, 0.02],
        [b, y, 0.02],
        [b, y - 0.42, 0],
        [a, y - 0.42, 0],
      ],
      { fill: darken(TONES.membrane, 0.2), ...outline },
    ),
    space.face(
      [
        [a, y - 0.2, 0.01],
        [b, y - 0.2, 0.01],
        [b, y - 0.44, 0.01],
        [a, y - 0.44, 0.01],
      ],
      { fill: TONES.accent, ...outline, 'stroke-width': 1.4 },
    ),
  ]);
}

function serviceVoid(space: Axonometry): string {
  return group(
    [0.32, 1.75, 3.5, 5.1].map((z) => space.box([0, 0.14, z], [4.7, 0.4, 0.3], { color: TONES.wood, ...edge })),
  );
}

function lining(space: Axonometry): string {
  const [x, z] = space.project([1.2, 0, 1.6]);
  return group([
    space.box([0, 0, 0.03], [2.6, 0.13, HEIGHT - 0.12], { color: '#f1eee6', ...edge }),
    space.face(
      [
        [1.05, 0, 1.4],
        [1.45, 0, 1.4],
        [1.45, 0, 1.8],
        [1.05, 0, 1.8],
      ],
      { fill: '#fbfaf6', ...outline },
    ),
    path(`M${x - 4} ${z + 6}m-7 0a7 8 0 1 0 14 0a7 8 0 1 0 -14 0`, { fill: 'none', ...outline, 'stroke-width': 1.6 }),
  ]);
}

/** Numbers from the room outwards. */
function notes(space: Axonometry): string {
  const targets: Point3[] = [
    [1.3, 0, 0.9],
    [3.5, 0.14, 0.46],
    [5.5, 0.56, 0.95],
    [7.5, 0.62, 1.1],
    [9.75, 2.1, 1.1],
    [11.1, 3.02, 1.1],
  ];
  return group(
    targets.map((target, i) => {
      const [x, y] = space.project(target);
      return callout(String(i + 1), [x, 1000], [x, y]);
    }),
  );
}
