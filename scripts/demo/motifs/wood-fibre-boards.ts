import { dimension } from '../drawing/annotation.ts';
import { axonometry, type Axonometry, type Point3 } from '../drawing/axonometry.ts';
import { darken, lighten } from '../drawing/color.ts';
import { fibres } from '../drawing/fibres.ts';
import { seededRandom } from '../drawing/random.ts';
import { circle, group, line, path, type Point } from '../drawing/svg.ts';
import type { Canvas } from '../drawing/canvas.ts';
import { INK, outline, plate } from './plate.ts';

const edge = { line: INK, lineWidth: 2 } as const;
const RIGID = '#a97c4b';
const FLEXIBLE = '#cfa66d';

/** A stack of batts behind, two rigid boards about to be pushed together in front, and the fibres under a lens. */
export function drawWoodFibreBoards(): string {
  const sheet = plate();
  const space = axonometry({ origin: [160, 722], scale: 91, xAngle: 16, yAngle: 33, depth: 0.9 });
  sheet.add(
    space.face(
      [
        [-3, -4.2, 0],
        [18, -4.2, 0],
        [18, 8, 0],
        [-3, 8, 0],
      ],
      { fill: '#e2dccd' },
    ),
    batts(space),
    boards(space),
    lens(sheet),
    measures(space),
  );
  return sheet.toSvg();
}

function batts(space: Axonometry): string {
  return group(
    [0, 1, 2].map((i) =>
      fibreBox(
        space,
        [0.1 + (i % 2) * 0.12, 2.7 + (i % 2) * 0.08, i * 1.52],
        [5.7, 2.6, 1.5],
        FLEXIBLE,
        34,
        `batt${i}`,
      ),
    ),
  );
}

/** Left board with the groove, right board with the tongue; a hand's breadth between them. */
function boards(space: Axonometry): string {
  const h = 0.66;
  const depth = 3.1;
  const under: readonly [Point3, number][] = [
    [[0.5, -1.1, 0], 10.4],
    [[0.42, -1.06, h], 10.3],
  ];
  const top = h * 2;
  return group([
    ...under.map(([corner, length], i) => fibreBox(space, corner, [length, depth, h], RIGID, 40, `under${i}`)),
    fibreBox(space, [0.5, -1.1, top], [4.5, depth, h], RIGID, 40, 'left'),
    space.box([5, -1.1, top + h * 0.37], [0.24, depth, h * 0.28], { color: lighten(RIGID, 0.1), ...edge }),
    fibreBox(space, [6.1, -1.1, top], [4.7, depth, h], RIGID, 40, 'right'),
    space.box([10.8, -1.1, top + h * 0.37], [0.24, depth, h * 0.28], { color: lighten(RIGID, 0.1), ...edge }),
    groove(space, [6.1, -1.1, top], h),
  ]);
}

/** The notch in the front face where the groove of the right board opens. */
function groove(space: Axonometry, [x, y, z]: Point3, h: number): string {
  return space.face(
    [
      [x, y, z + h * 0.36],
      [x + 0.26, y, z + h * 0.36],
      [x + 0.26, y, z + h * 0.66],
      [x, y, z + h * 0.66],
    ],
    {
      fill: darken(RIGID, 0.5),
      ...outline,
      'stroke-width': 1.4,
    },
  );
}

function fibreBox(
  space: Axonometry,
  corner: Point3,
  size: Point3,
  color: string,
  density: number,
  seed: string,
): string {
  const [x, y, z] = corner;
  const [w, d, h] = size;
  const field = (origin: Point3, u: Point3, v: Point3, area: number, tint: string, side: string) =>
    fibres(space, {
      corner: origin,
      u,
      v,
      count: Math.round(area * density),
      color: tint,
      length: 0.045,
      seed: seed + side,
    });
  return group([
    space.box(corner, size, { color, ...edge }),
    field([x, y, z + h], [w, 0, 0], [0, d, 0], w * d, lighten(color, 0.16), 'top'),
    field([x, y, z], [w, 0, 0], [0, 0, h], w * h * 1.4, color, 'front'),
    field([x + w, y, z], [0, d, 0], [0, 0, h], d * h * 1.4, darken(color, 0.16), 'side'),
  ]);
}

/** Loose fibres, enlarged. */
function lens(sheet: Canvas): string {
  const centre: Point = [1318, 270];
  const radius = 196;
  const random = seededRandom('lens');
  const strands = Array.from({ length: 120 }, (_, i) => {
    const angle = random() * Math.PI;
    const [x, y] = [centre[0] + (random() - 0.5) * 400, centre[1] + (random() - 0.5) * 400];
    const reach = 50 + random() * 110;
    const [dx, dy] = [Math.cos(angle) * reach, Math.sin(angle) * reach];
    const bend = (random() - 0.5) * 70;
    const width = 3 + random() * 8;
    const tint = i % 3 === 0 ? lighten(FLEXIBLE, 0.35) : i % 3 === 1 ? FLEXIBLE : darken(FLEXIBLE, 0.2);
    const d = `M${(x - dx).toFixed(1)} ${(y - dy).toFixed(1)}Q${(x + bend).toFixed(1)} ${(y - bend).toFixed(1)} ${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
    return (
      path(d, { fill: 'none', stroke: INK, 'stroke-width': width + 2.4, 'stroke-linecap': 'round' }) +
      path(d, { fill: 'none', stroke: tint, 'stroke-width': width, 'stroke-linecap': 'round' })
    );
  });
  return group([
    line([1168, 398], [966, 640], { stroke: INK, 'stroke-width': 1.8 }),
    circle(946, 662, 30, { fill: 'none', ...outline }),
    circle(centre[0], centre[1], radius, { fill: '#7c5a33' }),
    group(strands, { 'clip-path': sheet.clip(circle(centre[0], centre[1], radius)) }),
    circle(centre[0], centre[1], radius, { fill: 'none', stroke: INK, 'stroke-width': 5 }),
    circle(centre[0], centre[1], radius + 11, { fill: 'none', stroke: INK, 'stroke-width': 1.6 }),
  ]);
}

function measures(space: Axonometry): string {
  const [low, high] = [space.project([0.5, -1.1, 1.32]), space.project([0.5, -1.1, 1.98])];
  const [base, top] = [space.project([0.1, 2.7, 3.04]), space.project([0.1, 2.7, 4.54])];
  return group([
    dimension([low[0] - 52, low[1]], [high[0] - 52, high[1]], '60', 28),
    dimension([base[0] - 60, base[1]], [top[0] - 60, top[1]], '160', 28),
  ]);
}
