import type { Canvas } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { softInsulation } from '../drawing/hatches.ts';
import { seededRandom } from '../drawing/random.ts';
import { circle, group, line, path, polygon, rect } from '../drawing/svg.ts';
import { wordmark } from '../drawing/wordmark.ts';
import { letter } from '../lettering/letter.ts';
import { INK, MOTIF_HEIGHT, MOTIF_WIDTH, outline, plate, TONES } from './plate.ts';

/** Look of the shadow that a thing on the desk throws. */
const shadow = { fill: INK, 'fill-opacity': 0.16 } as const;

/** A planner's desk from above: a datasheet, a detail drawing, a scale, a pencil, samples. */
export function drawDatasheetDesk(): string {
  const sheet = plate();
  sheet.add(desk(), drawPlanOnDesk(sheet), drawDatasheetOnDesk(), membraneSample(), tape(), ruler(), pencil());
  return sheet.toSvg();
}

function desk(): string {
  const random = seededRandom('desk');
  const top = '#d9c3a0';
  const boards = [0, 1, 2, 3, 4].map((i) =>
    rect(-10, i * 214 - 4, MOTIF_WIDTH + 20, 214, {
      fill: i % 2 ? top : lighten(top, 0.08),
      stroke: INK,
      'stroke-width': 1.4,
      'stroke-opacity': 0.5,
    }),
  );
  const grain = Array.from({ length: 110 }, () => {
    const [x, y] = [random() * MOTIF_WIDTH, random() * MOTIF_HEIGHT];
    const reach = 90 + random() * 260;
    return path(
      `M${x.toFixed(0)} ${y.toFixed(0)}q${(reach / 2).toFixed(0)} ${((random() - 0.5) * 14).toFixed(0)} ${reach.toFixed(0)} 0`,
      {
        fill: 'none',
        stroke: darken(top, 0.3),
        'stroke-width': 1.2,
        'stroke-opacity': 0.32,
      },
    );
  });
  return group([...boards, ...grain]);
}

function membraneSample(): string {
  return group(
    [
      polygon(
        [
          [10, 14],
          [300, 14],
          [300, 214],
          [10, 214],
        ],
        shadow,
      ),
      path(
        'M0 0L12 7L24 0L36 7L48 0L60 7L72 0L84 7L96 0L108 7L120 0L132 7L144 0L156 7L168 0L180 7L192 0L204 7L216 0L228 7L240 0L252 7L264 0L276 7L288 0L288 200L0 200Z',
        { fill: '#c9dce5', ...outline },
      ),
      ...[48, 96, 144, 192, 240].map((x) =>
        line([x, 8], [x, 200], { stroke: TONES.membrane, 'stroke-width': 1.2, 'stroke-opacity': 0.5 }),
      ),
      ...[50, 100, 150].map((y) =>
        line([0, y], [288, y], { stroke: TONES.membrane, 'stroke-width': 1.2, 'stroke-opacity': 0.5 }),
      ),
      letter('DIFFRANA Vario', { x: 24, y: 136, size: 32, weight: 600, tracking: 0.03, fill: TONES.membrane }),
    ],
    { transform: 'translate(806 776) rotate(-8)' },
  );
}

function tape(): string {
  const [x, y, r] = [1352, 850, 142];
  return group([
    circle(x + 12, y + 16, r, shadow),
    circle(x, y, r, { fill: '#b5412b', ...outline }),
    circle(x, y, r - 10, { fill: '#d8b9a4', ...outline, 'stroke-width': 1.4 }),
    ...[0.82, 0.74, 0.66, 0.58].map((share) =>
      circle(x, y, r * share, { fill: 'none', stroke: INK, 'stroke-width': 1.1, 'stroke-opacity': 0.5 }),
    ),
    circle(x, y, r * 0.47, { fill: '#b99a72', ...outline }),
    circle(x, y, r * 0.4, { fill: '#d9c3a0', ...outline, 'stroke-width': 1.6 }),
  ]);
}

/** A triangular scale, seen from above. */
function ruler(): string {
  const ticks = Array.from({ length: 61 }, (_, i) =>
    line([14 + i * 9.6, 0], [14 + i * 9.6, i % 10 === 0 ? 20 : i % 5 === 0 ? 14 : 9], {
      stroke: INK,
      'stroke-width': 1.4,
    }),
  );
  const figures = [0, 1, 2, 3, 4, 5, 6].map((i) =>
    letter(String(i), { x: 14 + i * 96, y: 38, size: 16, weight: 500, anchor: 'middle', fill: INK }),
  );
  return group(
    [
      rect(8, 10, 604, 62, shadow),
      rect(0, 0, 604, 62, { fill: '#fbf6e6', ...outline }),
      rect(0, 44, 604, 18, { fill: '#efe6c8', ...outline, 'stroke-width': 1.4 }),
      ...ticks,
      ...figures,
      letter('1:5', { x: 586, y: 58, size: 14, weight: 600, anchor: 'end', fill: TONES.accent }),
    ],
    { transform: 'translate(140 966) rotate(-9)' },
  );
}

function pencil(): string {
  return group(
    [
      rect(14, 12, 370, 18, shadow),
      rect(40, 0, 330, 20, { fill: TONES.membrane, ...outline }),
      rect(40, 7, 330, 6, { fill: lighten(TONES.membrane, 0.3) }),
      polygon(
        [
          [40, 0],
          [40, 20],
          [4, 10],
        ],
        { fill: '#e7cfa4', ...outline },
      ),
      polygon(
        [
          [16, 6.6],
          [16, 13.4],
          [4, 10],
        ],
        { fill: INK },
      ),
      rect(370, 0, 26, 20, { fill: TONES.steel, ...outline }),
    ],
    { transform: 'translate(700 700) rotate(-31)' },
  );
}

/** A sheet with name, figures and a table; lines stand for running text. */
function drawDatasheetOnDesk(): string {
  const [w, h] = [520, 735];
  const rows = Array.from({ length: 8 }, (_, i) =>
    group([
      line([44, 424 + i * 33], [w - 44, 424 + i * 33], { stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.6 }),
      rect(44, 404 + i * 33, 130 + ((i * 47) % 80), 8, { fill: TONES.softInk, 'fill-opacity': 0.7 }),
      rect(264, 404 + i * 33, 84, 8, { fill: TONES.softInk, 'fill-opacity': 0.45 }),
      rect(w - 44 - 60 - ((i * 31) % 40), 404 + i * 33, 60 + ((i * 31) % 40), 8, { fill: INK, 'fill-opacity': 0.8 }),
    ]),
  );
  return group(
    [
      rect(12, 14, w, h, shadow),
      rect(0, 0, w, h, { fill: '#fdfcf9', ...outline }),
      wordmark({ x: 44, y: 66, size: 22 }),
      rect(44, 86, w - 88, 4, { fill: TONES.membrane }),
      letter('DIFFRANA', { x: 44, y: 150, size: 40, weight: 700, fill: INK }),
      letter('Vario 75', { x: 44, y: 188, size: 28, weight: 500, fill: INK }),
      ...text(222, [240, 226, 236, 120]),
      ...text(318, [w - 88, w - 120]),
      rect(330, 116, 146, 160, { fill: '#eef2f3', ...outline, 'stroke-width': 1.4 }),
      group([
        polygon(
          [
            [350, 190],
            [448, 164],
            [458, 204],
            [360, 230],
          ],
          { fill: TONES.membraneLight, ...outline, 'stroke-width': 1.4 },
        ),
        polygon(
          [
            [362, 228],
            [458, 203],
            [450, 258],
            [352, 268],
          ],
          { fill: lighten(TONES.membraneLight, 0.35), ...outline, 'stroke-width': 1.4 },
        ),
      ]),
      rect(44, 366, w - 88, 26, { fill: TONES.membrane, 'fill-opacity': 0.18 }),
      ...rows,
      ...text(690, [180]),
    ],
    { transform: 'translate(190 128) rotate(-5)' },
  );
}

/** Bars that stand for lines of running text, as long as `widths` say. */
function text(y: number, widths: readonly number[]): string[] {
  return widths.map((width, i) => rect(44, y + i * 20, width, 7, { fill: TONES.softInk, 'fill-opacity': 0.55 }));
}

/** A folded plan with a wall section on it, corrected in red. */
function drawPlanOnDesk(sheet: Canvas): string {
  const [w, h] = [800, 600];
  const section = sheet.clip(rect(70, 60, 470, 420));
  return group(
    [
      rect(12, 14, w, h, shadow),
      rect(0, 0, w, h, { fill: '#f7f5ef', ...outline }),
      ...[w / 3, (w / 3) * 2].map((x) =>
        line([x, 0], [x, h], { stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.18 }),
      ),
      line([0, h / 2], [w, h / 2], { stroke: INK, 'stroke-width': 1.2, 'stroke-opacity': 0.18 }),
      rect(26, 26, w - 52, h - 52, { fill: 'none', stroke: INK, 'stroke-width': 2 }),
      rect(w - 262, h - 122, 236, 96, { fill: 'none', stroke: INK, 'stroke-width': 2 }),
      ...[0, 1, 2].map((i) =>
        line([w - 262, h - 98 + i * 24], [w - 26, h - 98 + i * 24], { stroke: INK, 'stroke-width': 1.2 }),
      ),
      group(
        [
          softInsulation(70, 190, 470, 120, TONES.insulation),
          rect(70, 190, 470, 120, { fill: 'none', stroke: INK, 'stroke-width': 3 }),
          rect(250, 190, 44, 120, { fill: TONES.wood, stroke: INK, 'stroke-width': 3 }),
          rect(460, 190, 44, 120, { fill: TONES.wood, stroke: INK, 'stroke-width': 3 }),
          rect(70, 140, 470, 50, { fill: TONES.fibreBoard, stroke: INK, 'stroke-width': 3 }),
          rect(70, 100, 470, 18, { fill: TONES.woodShade, stroke: INK, 'stroke-width': 2 }),
          line([70, 321], [540, 321], { stroke: TONES.membrane, 'stroke-width': 8 }),
          rect(70, 330, 470, 40, { fill: '#fbfaf6', stroke: INK, 'stroke-width': 2 }),
          rect(70, 370, 470, 20, { fill: '#e9e5db', stroke: INK, 'stroke-width': 2 }),
        ],
        { 'clip-path': section },
      ),
      ...[100, 140, 190, 310, 390].map((y) => line([556, y], [584, y], { stroke: INK, 'stroke-width': 1.6 })),
      line([570, 90], [570, 400], { stroke: INK, 'stroke-width': 1.6 }),
      ...['60', '160', '60'].map((figure, i) =>
        letter(figure, { x: 592, y: [172, 258, 358][i] ?? 0, size: 22, weight: 500, fill: INK }),
      ),
      path('M300 316C330 280 420 282 440 318C446 352 330 362 298 330C290 322 294 318 300 316', {
        fill: 'none',
        stroke: TONES.accent,
        'stroke-width': 4,
      }),
      path('M440 330C500 420 560 430 636 420', { fill: 'none', stroke: TONES.accent, 'stroke-width': 4 }),
      path('M650 404l16 14l28 -40', {
        fill: 'none',
        stroke: TONES.accent,
        'stroke-width': 5,
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
      }),
    ],
    { transform: 'translate(724 96) rotate(4)' },
  );
}
