import { darken, lighten } from '../drawing/color.ts';
import { seededRandom } from '../drawing/random.ts';
import { circle, group, line, path, polygon, rect } from '../drawing/svg.ts';
import { letter } from '../lettering/letter.ts';
import { drawDatasheetOnDesk, drawPlanOnDesk, shadow } from './desk-papers.ts';
import { INK, MOTIF_HEIGHT, MOTIF_WIDTH, outline, plate, TONES } from './plate.ts';

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
