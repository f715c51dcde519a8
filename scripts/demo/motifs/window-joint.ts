import { arrow, callout, dimension } from '../drawing/annotation.ts';
import type { Canvas } from '../drawing/canvas.ts';
import { darken } from '../drawing/color.ts';
import { diagonal, endGrain, softInsulation } from '../drawing/hatches.ts';
import { seededRandom } from '../drawing/random.ts';
import { circle, group, line, path, polygon, rect, type Point } from '../drawing/svg.ts';
import { cutLine, INK, outline, plate, TONES } from './plate.ts';

/** The reveal of the wall and the outer face of the frame, in pixels; between them lies the joint. */
const REVEAL = 700;
const FRAME = 772;
const [OUTER, INNER] = [392, 702];

/** Horizontal section through the joint between wall and window, outside at the top. */
export function drawWindowJoint(): string {
  const sheet = plate();
  sheet.add(
    rect(0, 0, 1600, 262, { fill: TONES.sky, 'fill-opacity': 0.6 }),
    rain(),
    wall(sheet),
    glazing(),
    frame(sheet),
    joint(sheet),
    vapour(),
    notes(),
  );
  return sheet.toSvg();
}

function rain(): string {
  return group(
    Array.from({ length: 9 }, (_, i) =>
      arrow([410 + i * 128, 44 + (i % 2) * 34], [372 + i * 128, 124 + (i % 2) * 34], TONES.membrane, 4),
    ),
  );
}

/** From the outside in: render, wood fibre board, stud, service void, gypsum board. */
function wall(sheet: Canvas): string {
  const brick = diagonal(sheet, '#e0c7a2', 17, darken(TONES.wood, 0.3), 0.45);
  const studClip = sheet.clip(rect(REVEAL - 236, 424, 236, 330));
  return group([
    rect(-10, 262, REVEAL + 10, 26, { fill: TONES.plaster, ...cutLine }),
    rect(-10, 288, REVEAL + 10, 136, { fill: brick, ...cutLine }),
    softInsulation(-10, 424, REVEAL - 226, 330, TONES.insulation),
    rect(-10, 424, REVEAL - 226, 330, { fill: 'none', ...cutLine }),
    group([endGrain(REVEAL - 236, 424, 236, 330, TONES.wood, [REVEAL - 330, 900])], { 'clip-path': studClip }),
    rect(REVEAL - 236, 424, 236, 330, { fill: 'none', ...cutLine }),
    rect(-10, 772, REVEAL + 10, 34, { fill: '#d3b98f', ...cutLine }),
    path(`M-10 763L${REVEAL + 10} 763`, { stroke: TONES.membrane, 'stroke-width': 9 }),
    rect(-10, 806, REVEAL + 10, 40, { fill: '#f4f1ea', ...cutLine }),
    line([-10, 846], [REVEAL, 846], cutLine),
  ]);
}

function frame(sheet: Canvas): string {
  const fixed: Point[] = [
    [FRAME, OUTER],
    [FRAME + 210, OUTER],
    [FRAME + 210, OUTER + 96],
    [FRAME + 168, OUTER + 96],
    [FRAME + 168, OUTER + 196],
    [FRAME + 128, OUTER + 196],
    [FRAME + 128, INNER],
    [FRAME, INNER],
  ];
  const sash: Point[] = [
    [FRAME + 226, OUTER + 62],
    [FRAME + 392, OUTER + 62],
    [FRAME + 392, OUTER + 110],
    [FRAME + 356, OUTER + 110],
    [FRAME + 356, OUTER + 292],
    [FRAME + 392, OUTER + 292],
    [FRAME + 392, INNER + 44],
    [FRAME + 142, INNER + 44],
    [FRAME + 142, OUTER + 212],
    [FRAME + 184, OUTER + 212],
    [FRAME + 184, OUTER + 112],
    [FRAME + 226, OUTER + 112],
  ];
  const grained = (points: Point[], heart: Point) =>
    group([
      group([endGrain(FRAME - 10, OUTER - 10, 440, 400, TONES.wood, heart)], {
        'clip-path': sheet.clip(polygon(points)),
      }),
      polygon(points, { fill: 'none', ...cutLine }),
    ]);
  return group([
    grained(fixed, [FRAME - 120, INNER + 260]),
    grained(sash, [FRAME + 560, OUTER - 240]),
    seal(FRAME + 218, OUTER + 86),
    seal(FRAME + 176, OUTER + 160),
    seal(FRAME + 135, OUTER + 262),
    path(`M${FRAME + 128} ${INNER + 2}L${FRAME + 142} ${INNER + 2}`, outline),
  ]);
}

/** A gasket between frame and sash. */
function seal(x: number, y: number): string {
  return circle(x, y, 9, { fill: TONES.dark, stroke: INK, 'stroke-width': 2 });
}

/** Three panes, two gas-filled gaps, spacers at their edge. */
function glazing(): string {
  const panes = [OUTER + 116, OUTER + 190, OUTER + 264];
  const left = FRAME + 362;
  return group([
    rect(left, OUTER + 116, 480, 172, { fill: '#eef3f4' }),
    ...panes.map((y) => rect(left, y, 480, 20, { fill: '#b9d3da', ...outline })),
    ...[OUTER + 138, OUTER + 212].map((y) =>
      rect(left + 6, y, 26, 50, { fill: TONES.dark, stroke: INK, 'stroke-width': 2 }),
    ),
    rect(left - 2, OUTER + 290, 34, 1, { fill: INK }),
  ]);
}

/** The three levels: compression tape, foam, inner seal; then plaster and membrane run up to the frame. */
function joint(sheet: Canvas): string {
  const width = FRAME - REVEAL;
  const foamClip = sheet.clip(rect(REVEAL, OUTER + 66, width, 176));
  const random = seededRandom('foam');
  const bubbles = Array.from({ length: 90 }, () =>
    circle(REVEAL + random() * width, OUTER + 66 + random() * 176, 3 + random() * 7, {
      fill: 'none',
      stroke: '#b98e22',
      'stroke-width': 1.6,
      'stroke-opacity': 0.7,
    }),
  );
  return group([
    rect(REVEAL, OUTER, width, 66, { fill: '#46525b', ...cutLine }),
    ...[0, 1, 2, 3].map((i) =>
      line([REVEAL + 8, OUTER + 10 + i * 15], [FRAME - 8, OUTER + 10 + i * 15], {
        stroke: '#9aa5ac',
        'stroke-width': 2,
      }),
    ),
    rect(REVEAL, OUTER + 66, width, 176, { fill: '#ecc65c' }),
    group(bubbles, { 'clip-path': foamClip }),
    rect(REVEAL, OUTER + 66, width, 176, { fill: 'none', ...cutLine }),
    rect(REVEAL, OUTER + 242, width, 68, { fill: '#6d93a8', ...cutLine }),
    path(`M${REVEAL - 120} 763L${REVEAL + 14} 763L${REVEAL + 14} ${INNER + 10}L${FRAME + 64} ${INNER + 10}`, {
      fill: 'none',
      stroke: TONES.accent,
      'stroke-width': 9,
      'stroke-linejoin': 'round',
    }),
    rect(REVEAL, 772, 40, 74, { fill: '#f4f1ea', ...cutLine }),
    rect(REVEAL - 10, 262, 54, 130, { fill: TONES.plaster, ...cutLine }),
  ]);
}

function vapour(): string {
  return group(
    [300, 430, 560].map((x) => arrow([x, 1000], [x, 884], TONES.accent, 4)),
    { opacity: 0.85 },
  );
}

function notes(): string {
  return group([
    dimension([REVEAL, 196], [FRAME, 196], '10'),
    line([REVEAL, 212], [REVEAL, 262], { stroke: INK, 'stroke-width': 1.4 }),
    line([FRAME, 212], [FRAME, OUTER], { stroke: INK, 'stroke-width': 1.4 }),
    callout('1', [1230, 316], [REVEAL + 36, OUTER + 33], [1090, 316]),
    callout('2', [880, 960], [REVEAL + 36, OUTER + 170], [REVEAL + 36, 960]),
    callout('3', [1000, 880], [REVEAL + 54, OUTER + 276], [REVEAL + 90, 880]),
    callout('4', [1120, 800], [FRAME + 52, INNER + 10], [FRAME + 52, 800]),
  ]);
}
