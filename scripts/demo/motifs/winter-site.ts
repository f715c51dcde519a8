import { lighten } from '../drawing/color.ts';
import { seededRandom } from '../drawing/random.ts';
import { circle, ellipse, group, line, path, polygon, rect, type Point } from '../drawing/svg.ts';
import { letter } from '../lettering/letter.ts';
import type { Canvas } from '../drawing/canvas.ts';
import { INK, outline, plate, TONES } from './plate.ts';
import { drawGable, GROUND, snow } from './winter-house.ts';

/** The frame of a timber house on a frosty morning, with scaffolding, a covered stack and a thermometer. */
export function drawWinterSite(): string {
  const sheet = plate();
  sheet.add(sky(sheet), ground(), drawGable(), scaffold(), stack(), thermometer(), flakes());
  return sheet.toSvg();
}

function sky(sheet: Canvas): string {
  const air = sheet.gradient([
    [0, '#c3d5de'],
    [0.55, '#e3e9ea'],
    [1, '#f3e6d8'],
  ]);
  const far = 'M-10 706C160 640 300 652 470 690C650 640 820 600 1010 652C1180 612 1390 590 1610 660L1610 860L-10 860Z';
  const trees = Array.from({ length: 46 }, (_, i) => {
    const x = -10 + i * 36 + (i % 3) * 7;
    const h = 44 + ((i * 37) % 40);
    const y = 752 - Math.sin(i * 0.33) * 16;
    return polygon(
      [
        [x - 15, y],
        [x, y - h],
        [x + 15, y],
      ],
      { fill: i % 2 ? '#8fa3a6' : '#9db0b2', stroke: INK, 'stroke-width': 1, 'stroke-opacity': 0.35 },
    );
  });
  return group([
    rect(-10, -10, 1620, 900, { fill: air }),
    circle(1330, 470, 62, { fill: '#f7e3c4' }),
    path(far, { fill: '#cfdbdd', stroke: INK, 'stroke-width': 1.4, 'stroke-opacity': 0.4 }),
    ...trees,
    path('M-10 742C260 726 420 756 700 744C1000 732 1260 760 1610 738L1610 900L-10 900Z', {
      fill: '#e9eff0',
      stroke: INK,
      'stroke-width': 1.4,
      'stroke-opacity': 0.4,
    }),
  ]);
}

function ground(): string {
  return group([
    path(
      `M-10 ${GROUND - 14}C220 ${GROUND - 34} 380 ${GROUND + 2} 640 ${GROUND - 8}S1200 ${GROUND - 30} 1610 ${GROUND - 6}L1610 1080L-10 1080Z`,
      { fill: TONES.snow, ...outline },
    ),
    ...[900, 948, 1006].map((y, i) =>
      path(`M${60 + i * 130} ${y}C${300 + i * 60} ${y - 16} ${460 + i * 90} ${y + 12} ${760 + i * 120} ${y - 4}`, {
        fill: 'none',
        stroke: '#b9c9d0',
        'stroke-width': 2.2,
      }),
    ),
    ...Array.from({ length: 15 }, (_, i) =>
      ellipse(1510 - i * 46, 1020 - i * 9 - (i % 2) * 17, 11 - i * 0.3, 5 - i * 0.12, {
        fill: '#a9bcc5',
        transform: `rotate(-14 ${1510 - i * 46} ${1020 - i * 9})`,
      }),
    ),
  ]);
}

function scaffold(): string {
  const [a, b] = [1150, 1400];
  const tube = { fill: 'none', stroke: INK, 'stroke-width': 9, 'stroke-linecap': 'round' } as const;
  const shine = { fill: 'none', stroke: '#c4ced3', 'stroke-width': 5, 'stroke-linecap': 'round' } as const;
  const runs: [Point, Point][] = [
    [
      [a, 250],
      [a, GROUND - 4],
    ],
    [
      [b, 250],
      [b, GROUND - 4],
    ],
    [
      [a + 34, 228],
      [a + 34, GROUND - 28],
    ],
    [
      [b + 34, 228],
      [b + 34, GROUND - 28],
    ],
    [
      [a, 640],
      [b, 440],
    ],
    [
      [a, 834],
      [b, 640],
    ],
    [
      [a, 356],
      [b, 356],
    ],
    [
      [a, 300],
      [b, 300],
    ],
    [
      [a, 556],
      [b, 556],
    ],
  ];
  const decks = [416, 618].map((y) =>
    group([
      polygon(
        [
          [a - 26, y],
          [b + 26, y],
          [b + 62, y - 24],
          [a + 10, y - 24],
        ],
        { fill: lighten(TONES.woodShade, 0.12), ...outline },
      ),
      rect(a - 26, y, b - a + 52, 14, { fill: TONES.woodShade, ...outline }),
      snow(
        [
          [a + 2, y - 15],
          [b + 34, y - 15],
        ],
        9,
      ),
    ]),
  );
  return group([
    ...runs.map(([from, to]) => line(from, to, tube) + line(from, to, shine)),
    ...decks,
    ...[a, b].map((x) => rect(x - 18, GROUND - 8, 36, 9, { fill: TONES.dark, ...outline })),
  ]);
}

/** Boards on bearers under a tarpaulin, snow on top. */
function stack(): string {
  return group([
    ...[150, 268].map((x) => rect(x, 892, 34, 20, { fill: TONES.woodShade, ...outline })),
    ...[0, 1, 2, 3].map((i) =>
      rect(112, 866 - i * 26, 230, 26, { fill: i % 2 ? TONES.fibreBoard : lighten(TONES.fibreBoard, 0.1), ...outline }),
    ),
    path(
      'M98 846C96 800 104 770 118 762L336 762C352 770 358 800 356 852C330 842 316 858 292 846C262 838 244 856 214 846C184 838 160 858 136 848C122 842 110 850 98 846Z',
      { fill: '#4d7e63', ...outline },
    ),
    path('M150 770C144 800 150 826 146 846M236 768C240 800 230 822 236 846M310 770C316 800 306 824 312 848', {
      fill: 'none',
      stroke: INK,
      'stroke-width': 1.4,
      'stroke-opacity': 0.6,
    }),
    path(
      'M110 766C124 742 178 736 226 740C280 734 336 742 346 766C330 776 300 768 270 774C240 780 200 770 170 776C146 780 122 774 110 766Z',
      { fill: TONES.snow, ...outline },
    ),
  ]);
}

/** An enlarged thermometer below zero. */
function thermometer(): string {
  const [x, y] = [172, 150];
  const zero = y + 150;
  return group([
    rect(x - 62, y - 66, 124, 476, { fill: '#f6f3ec', ...outline, rx: 10 }),
    rect(x - 13, y - 30, 26, 330, { fill: '#ffffff', ...outline, rx: 13 }),
    rect(x - 7, zero + 40, 14, 130, { fill: TONES.membrane }),
    circle(x, y + 326, 31, { fill: TONES.membrane, ...outline }),
    circle(x - 9, y + 316, 8, { fill: '#ffffff', 'fill-opacity': 0.6 }),
    ...[-3, -2, -1, 0, 1, 2, 3].map((i) =>
      line([x + 20, zero + i * 40], [x + (i % 2 === 0 ? 42 : 34), zero + i * 40], { stroke: INK, 'stroke-width': 2 }),
    ),
    letter('0', { x: x - 24, y: zero + 9, size: 25, weight: 500, anchor: 'end', fill: INK }),
    letter('-5', { x: x - 24, y: zero + 49, size: 25, weight: 600, anchor: 'end', fill: TONES.accent }),
    letter('°C', { x, y: y + 392, size: 24, weight: 500, anchor: 'middle', fill: INK }),
  ]);
}

function flakes(): string {
  const random = seededRandom('snow');
  return group(
    Array.from({ length: 90 }, () =>
      circle(random() * 1600, random() * 800, 1.6 + random() * 3, { fill: '#ffffff', 'fill-opacity': 0.85 }),
    ),
  );
}
