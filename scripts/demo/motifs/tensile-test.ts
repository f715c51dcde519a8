import { arrow } from '../drawing/annotation.ts';
import { darken, lighten } from '../drawing/color.ts';
import { circle, group, line, path, polygon, rect } from '../drawing/svg.ts';
import { letter } from '../lettering/letter.ts';
import type { Canvas } from '../drawing/canvas.ts';
import { INK, outline, plate, TONES } from './plate.ts';

const BENCH = 880;

/** A testing machine that peels a tape off a panel; beside it the curve that it records. */
export function drawTensileTest(): string {
  const sheet = plate();
  sheet.add(room(), machine(sheet), specimen(sheet), chart(), samples());
  return sheet.toSvg();
}

function room(): string {
  const tiles = Array.from({ length: 10 }, (_, i) =>
    line([i * 178 - 20, 0], [i * 178 - 20, BENCH], { stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.1 }),
  );
  return group([
    rect(-10, -10, 1620, BENCH, { fill: '#e4eaeb' }),
    ...tiles,
    ...[210, 540].map((y) => line([0, y], [1600, y], { stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.1 })),
    rect(-10, BENCH, 1620, 40, { fill: '#f4f1ea', ...outline }),
    rect(-10, BENCH + 40, 1620, 200, { fill: '#c9c3b6', ...outline }),
    ...[330, 860, 1390].map((x) => line([x, BENCH + 40], [x, 1080], { stroke: INK, 'stroke-width': 2 })),
    ...[170, 600, 1130].map((x) => rect(x, BENCH + 78, 110, 14, { fill: TONES.steel, ...outline, rx: 7 })),
  ]);
}

/** Two guided columns, the crosshead with its load cell, the fixed clamp below. */
function machine(sheet: Canvas): string {
  const metal = sheet.gradient(
    [
      [0, '#8b989f'],
      [0.3, '#eef1f2'],
      [0.6, '#c0c9cd'],
      [1, '#7d8990'],
    ],
    [0, 0],
    [1, 0],
  );
  const screw = (x: number) =>
    group([
      rect(x, 96, 44, 700, { fill: metal, ...outline }),
      ...Array.from({ length: 34 }, (_, i) =>
        line([x + 3, 112 + i * 20], [x + 41, 104 + i * 20], {
          stroke: INK,
          'stroke-width': 1.2,
          'stroke-opacity': 0.35,
        }),
      ),
    ]);
  return group([
    rect(210, 44, 560, 62, { fill: TONES.dark, ...outline, rx: 8 }),
    letter('HALDENWERK', { x: 490, y: 86, size: 26, weight: 700, anchor: 'middle', tracking: 0.14, fill: '#e9edee' }),
    screw(256),
    screw(680),
    rect(196, 790, 588, 92, { fill: TONES.dark, ...outline, rx: 6 }),
    rect(196, 790, 588, 16, { fill: lighten(TONES.dark, 0.25), ...outline }),
    ...[0, 1, 2].map((i) => circle(650 + i * 42, 846, 12, { fill: i === 0 ? TONES.accent : TONES.steel, ...outline })),
    rect(238, 826, 150, 40, { fill: '#c9d6c2', ...outline, rx: 4 }),
    letter('25,4 N', { x: 313, y: 856, size: 26, weight: 600, anchor: 'middle', fill: INK }),
    rect(226, 236, 528, 82, { fill: '#e7ebec', ...outline, rx: 6 }),
    rect(226, 290, 528, 28, { fill: '#cdd5d9', ...outline }),
    rect(452, 318, 76, 54, { fill: metal, ...outline }),
    rect(432, 372, 116, 22, { fill: TONES.dark, ...outline }),
    rect(404, 422, 172, 12, { fill: '#cdd5d9', ...outline }),
    polygon(
      [
        [440, 394],
        [540, 394],
        [522, 468],
        [458, 468],
      ],
      { fill: '#b9c3c8', ...outline },
    ),
    line([490, 394], [490, 468], { stroke: INK, 'stroke-width': 2 }),
    ...[418, 562].map((x) => circle(x, 428, 17, { fill: TONES.dark, ...outline })),
    arrow([826, 420], [826, 250], TONES.accent, 7),
  ]);
}

/** The panel stands in the lower clamp; the tape is folded back and drawn up. */
function specimen(sheet: Canvas): string {
  const tape = sheet.gradient(
    [
      [0, lighten(TONES.accent, 0.12)],
      [1, darken(TONES.accent, 0.12)],
    ],
    [0, 0],
    [1, 0],
  );
  return group([
    rect(404, 716, 172, 76, { fill: '#b9c3c8', ...outline }),
    rect(388, 740, 22, 30, { fill: TONES.dark, ...outline }),
    rect(570, 740, 22, 30, { fill: TONES.dark, ...outline }),
    rect(496, 500, 30, 262, { fill: TONES.wood, ...outline }),
    ...[0, 1].map((i) =>
      path(`M${504 + i * 10} 504C${500 + i * 10} 580 ${508 + i * 10} 660 ${503 + i * 10} 758`, {
        fill: 'none',
        stroke: darken(TONES.wood, 0.3),
        'stroke-width': 1.4,
      }),
    ),
    path(
      'M484 762L484 612C484 590 478 582 476 604L476 606C470 560 486 520 486 462L498 462C498 530 496 560 496 612L496 762Z',
      { fill: tape, ...outline },
    ),
    path('M496 762L496 618', { stroke: '#f3d9b0', 'stroke-width': 4 }),
    ...[0, 1, 2, 3, 4].map((i) =>
      path(`M${489 + (i % 2)} ${622 - i * 7}L${497} ${626 - i * 8}`, { stroke: '#f7e3c4', 'stroke-width': 1.6 }),
    ),
    circle(486, 608, 62, { fill: 'none', stroke: INK, 'stroke-width': 1.8, 'stroke-dasharray': '7 6' }),
  ]);
}

/** Force over distance, on squared paper pinned to the wall. */
function chart(): string {
  const [x, y, w, h] = [968, 150, 470, 350];
  const [ox, oy] = [x + 62, y + h - 58];
  const curve = [
    [0, 0],
    [18, 92],
    [30, 176],
    [40, 214],
    [52, 196],
    [70, 204],
    [92, 188],
    [118, 206],
    [146, 192],
    [176, 208],
    [206, 196],
    [238, 204],
    [270, 190],
    [300, 206],
    [330, 198],
    [352, 202],
  ].map(([a = 0, b = 0]) => `${ox + a} ${oy - b}`);
  return group([
    rect(x + 8, y + 10, w, h, { fill: INK, 'fill-opacity': 0.14 }),
    rect(x, y, w, h, { fill: '#fbfaf6', ...outline }),
    ...Array.from({ length: 15 }, (_, i) =>
      line([ox + i * 26, y + 34], [ox + i * 26, oy], {
        stroke: TONES.membrane,
        'stroke-width': 1,
        'stroke-opacity': 0.3,
      }),
    ),
    ...Array.from({ length: 10 }, (_, i) =>
      line([ox, oy - i * 26], [ox + 364, oy - i * 26], {
        stroke: TONES.membrane,
        'stroke-width': 1,
        'stroke-opacity': 0.3,
      }),
    ),
    path(`M${ox} ${y + 28}L${ox} ${oy}L${ox + 378} ${oy}`, { fill: 'none', stroke: INK, 'stroke-width': 2.6 }),
    line([ox, oy - 200], [ox + 364, oy - 200], { stroke: INK, 'stroke-width': 1.6, 'stroke-dasharray': '9 7' }),
    path(`M${curve.join('L')}`, { fill: 'none', stroke: TONES.accent, 'stroke-width': 5, 'stroke-linejoin': 'round' }),
    letter('25', { x: ox - 12, y: oy - 192, size: 22, weight: 500, anchor: 'end', fill: INK }),
    letter('0', { x: ox - 12, y: oy + 6, size: 22, weight: 500, anchor: 'end', fill: INK }),
    letter('N', { x: ox - 12, y: y + 46, size: 22, weight: 600, anchor: 'end', fill: INK }),
    letter('mm', { x: ox + 374, y: oy + 34, size: 22, weight: 600, anchor: 'end', fill: INK }),
    letter('EN ISO 29862', { x: x + w - 22, y: y + 32, size: 21, weight: 500, anchor: 'end', fill: TONES.softInk }),
    circle(x + w / 2, y + 8, 8, { fill: TONES.accent, ...outline }),
  ]);
}

/** Strips that wait for their test, a roll, and the roller that presses them down. */
function samples(): string {
  return group([
    polygon(
      [
        [930, BENCH + 4],
        [1240, BENCH + 4],
        [1210, BENCH - 34],
        [966, BENCH - 34],
      ],
      { fill: '#f9f7f2', ...outline },
    ),
    ...[0, 1, 2, 3].map((i) =>
      polygon(
        [
          [966 + i * 64, BENCH - 4],
          [1004 + i * 64, BENCH - 4],
          [1006 + i * 55, BENCH - 28],
          [974 + i * 55, BENCH - 28],
        ],
        { fill: i === 3 ? TONES.membraneLight : TONES.accent, ...outline, 'stroke-width': 1.6 },
      ),
    ),
    circle(1392, BENCH - 88, 88, { fill: '#d8b9a4', ...outline }),
    ...[0.86, 0.74, 0.62, 0.5].map((share) =>
      circle(1392, BENCH - 88, 88 * share, { fill: 'none', stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.55 }),
    ),
    circle(1392, BENCH - 88, 36, { fill: '#b99a72', ...outline }),
    circle(1392, BENCH - 88, 28, { fill: '#4c3d2a', ...outline, 'stroke-width': 1.4 }),
    path(`M1392 ${BENCH}L1520 ${BENCH}`, { stroke: TONES.accent, 'stroke-width': 7 }),
    rect(1010, BENCH - 96, 130, 22, {
      fill: TONES.dark,
      ...outline,
      rx: 11,
      transform: `rotate(-24 1010 ${BENCH - 96})`,
    }),
    circle(1004, BENCH - 78, 41, { fill: '#59656d', ...outline }),
    circle(1004, BENCH - 78, 11, { fill: TONES.steel, ...outline }),
  ]);
}
