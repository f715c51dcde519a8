import { axonometry, onSlope, type Axonometry } from '../drawing/axonometry.ts';
import { darken, lighten } from '../drawing/color.ts';
import { fibres } from '../drawing/fibres.ts';
import { at, ellipse, group, path, polygon, rect } from '../drawing/svg.ts';
import { letter } from '../lettering/letter.ts';
import { INK, MOTIF_HEIGHT, outline, plate, TONES } from './plate.ts';

const edge = { line: INK, lineWidth: 2 } as const;
const SLOPE = 8.4;
const RAFTERS = [0, 1.75, 3.5, 5.25, 7, 8.75, 10.5, 12.25, 14, 15.75];
const MEMBRANE_FROM = 4.1;

/** A roof slope under refurbishment from outside: insulation, membrane, counter battens, battens and tiles. */
export function drawRoofMembrane(): string {
  const sheet = plate();
  const space = axonometry({ origin: [28, 690], scale: 104, xAngle: 11, yAngle: 33, depth: 0.9 });
  const slope = onSlope(space, 34);
  sheet.add(
    sky(),
    wall(space),
    rafters(slope),
    lowerLayers(slope),
    battens(slope),
    tiles(slope),
    gutter(slope),
    rollOfMembrane(slope),
  );
  return sheet.toSvg();
}

function sky(): string {
  const hill = 'M0 330C220 270 420 300 640 262C900 218 1180 250 1600 196L1600 0L0 0Z';
  return group([
    path(hill, { fill: TONES.sky, 'fill-opacity': 0.75 }),
    path('M0 330C220 270 420 300 640 262C900 218 1180 250 1600 196', {
      fill: 'none',
      stroke: INK,
      'stroke-width': 1.2,
      'stroke-opacity': 0.25,
    }),
  ]);
}

function wall(space: Axonometry): string {
  const low = MOTIF_HEIGHT;
  const [a, b] = [space.project([-1, 0.55, -0.15]), space.project([17, 0.55, -0.15])];
  return group([
    polygon([a, b, [b[0], low + 300], [a[0], low]], { fill: '#e4dfd3', ...outline }),
    ...Array.from({ length: 25 }, (_, i) => {
      const x = i * 64 + 6;
      const top = a[1] + ((x - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
      return path(`M${x} ${top}L${x} ${low}`, { stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.35 });
    }),
  ]);
}

/** Rafters with batts between them; the last bays lie under the membrane and are not drawn. */
function rafters(slope: Axonometry): string {
  const batts = RAFTERS.slice(0, 4).map((u, i) =>
    group([
      slope.box([u + 0.28, 0.5, -0.95], [1.47, SLOPE - 0.5, 0.85], {
        color: TONES.insulation,
        ...edge,
        lineWidth: 1.3,
      }),
      fibres(slope, {
        corner: [u + 0.28, 0.5, -0.1],
        u: [1.47, 0, 0],
        v: [0, SLOPE - 0.5, 0],
        count: 420,
        color: darken(TONES.insulation, 0.12),
        length: 0.14,
        seed: `batt${i}`,
      }),
      slope.stroke(
        [
          [u + 0.28, 3.1 + (i % 2) * 1.4, -0.1],
          [u + 1.75, 3.1 + (i % 2) * 1.4, -0.1],
        ],
        { ...outline, 'stroke-width': 1.4 },
      ),
    ]),
  );
  const beams = RAFTERS.map((u) => slope.box([u, -0.35, -1], [0.28, SLOPE + 0.35, 1], { color: TONES.wood, ...edge }));
  return group(RAFTERS.flatMap((_, i) => [beams[i] ?? '', batts[i] ?? '']));
}

/** Three courses of membrane, lapped and taped, printed like the real one. */
function lowerLayers(slope: Axonometry): string {
  const [a, b] = [MEMBRANE_FROM, 16.2];
  const courses = [0, 1, 2].map((i) => {
    const [low, high] = [i * 2.9 - 0.3, Math.min(SLOPE, (i + 1) * 2.9)];
    const start = a - (2 - i) * 0.16;
    const [x, y] = slope.project([start + 0.5, low + 1.1, 0.02]);
    const [ux, uy] = slope.project([start + 1.5, low + 1.1, 0.02]);
    const [vx, vy] = slope.project([start + 0.5, low + 0.1, 0.02]);
    const plane = [ux - x, uy - y, vx - x, vy - y].map((value) => (value / 100).toFixed(4)).join(' ');
    return group([
      slope.face(
        [
          [start, low, 0.02],
          [b, low, 0.02],
          [b, high, 0.02],
          [start, high, 0.02],
        ],
        { fill: TONES.membrane, ...outline },
      ),
      slope.face(
        [
          [start, low, 0.03],
          [b, low, 0.03],
          [b, low + 0.16, 0.03],
          [start, low + 0.16, 0.03],
        ],
        { fill: lighten(TONES.membrane, 0.45) },
      ),
      ...[0, 3.6].map((shift) =>
        group(
          [letter('DIFFRANA', { x: 0, y: 0, size: 42, weight: 600, tracking: 0.08, fill: '#ffffff', opacity: 0.55 })],
          {
            transform: `matrix(${plane} ${at([x + (ux - x) * shift, y + (uy - y) * shift])})`,
          },
        ),
      ),
    ]);
  });
  return group(courses);
}

function battens(slope: Axonometry): string {
  const counter = RAFTERS.slice(4).map((u) =>
    slope.box([u, -0.1, 0.03], [0.28, SLOPE, 0.24], { color: TONES.wood, ...edge }),
  );
  const across = Array.from({ length: 11 }, (_, i) =>
    slope.box([8.3, 0.02 + i * 0.78, 0.27], [8, 0.22, 0.18], {
      color: lighten(TONES.woodShade, 0.14),
      ...edge,
      lineWidth: 1.6,
    }),
  );
  return group([...counter, ...across.toReversed()]);
}

/** Courses of flat tiles with rounded ends, from the eaves up, so that each covers the one below it. */
function tiles(slope: Axonometry): string {
  const clay = '#b0694d';
  const courses: string[] = [];
  for (let row = 0; row <= 10; row++) {
    const v = row * 0.78 - 0.28;
    const from = 10.1 + (row > 6 ? (row - 6) * 0.52 : 0) + (row % 2 ? 0.26 : 0);
    for (let u = from; u < 16.4; u += 0.52) {
      const tint = ((row * 7 + Math.round(u * 10)) % 5) * 0.035;
      const n = 0.52;
      const a = slope.project([u, v + 1, n - 0.06]);
      const b = slope.project([u, v + 0.16, n]);
      const c = slope.project([u + 0.5, v + 0.16, n]);
      const d = slope.project([u + 0.5, v + 1, n - 0.06]);
      const [lowLeft, lowRight] = [slope.project([u + 0.04, v - 0.06, n]), slope.project([u + 0.46, v - 0.06, n])];
      courses.push(
        path(`M${at(a)}L${at(b)}C${at(lowLeft)} ${at(lowRight)} ${at(c)}L${at(d)}Z`, {
          fill: tint > 0.07 ? darken(clay, tint) : lighten(clay, tint),
          ...outline,
          'stroke-width': 1.7,
        }),
      );
    }
  }
  return group(courses);
}

function gutter(slope: Axonometry): string {
  const [a, b] = [slope.project([-0.3, -0.42, -0.25]), slope.project([17, -0.42, -0.25])];
  const rim = (dy: number): string => `L${at([b[0], b[1] + dy])}`;
  return group([
    path(`M${at(a)}${rim(0)}${rim(34)}L${at([a[0], a[1] + 34])}Z`, { fill: TONES.steel, ...outline }),
    path(`M${at([a[0], a[1] + 9])}L${at([b[0], b[1] + 9])}`, {
      stroke: '#ffffff',
      'stroke-width': 3,
      'stroke-opacity': 0.6,
    }),
  ]);
}

/** The course that is being laid: its roll stands where the membrane ends, its axis up the slope. */
function rollOfMembrane(slope: Axonometry): string {
  const [low, high] = [
    slope.project([MEMBRANE_FROM - 0.1, 5.45, 0.3]),
    slope.project([MEMBRANE_FROM - 0.1, SLOPE + 0.1, 0.3]),
  ];
  const length = Math.hypot(high[0] - low[0], high[1] - low[1]);
  const angle = (Math.atan2(high[1] - low[1], high[0] - low[0]) * 180) / Math.PI;
  const [r, e] = [35, 22];
  return group(
    [
      path(`M0 -${r}L${length} -${r}A${e} ${r} 0 0 1 ${length} ${r}L0 ${r}A${e} ${r} 0 0 1 0 -${r}Z`, {
        fill: lighten(TONES.membrane, 0.12),
        ...outline,
      }),
      rect(4, 8, length, r - 10, { fill: darken(TONES.membrane, 0.25), opacity: 0.55 }),
      ellipse(0, 0, e, r, { fill: TONES.membraneLight, ...outline }),
      ellipse(0, 0, e * 0.68, r * 0.68, { fill: 'none', stroke: INK, 'stroke-width': 1.2 }),
      ellipse(0, 0, e * 0.36, r * 0.36, { fill: '#8d744f', ...outline, 'stroke-width': 1.6 }),
    ],
    { transform: `translate(${at(low)}) rotate(${angle.toFixed(2)})` },
  );
}
