import { arrow, callout, dimension } from '../drawing/annotation.ts';
import type { Canvas } from '../drawing/canvas.ts';
import { darken } from '../drawing/color.ts';
import { concrete, diagonal, endGrain, softInsulation } from '../drawing/hatches.ts';
import { seededRandom } from '../drawing/random.ts';
import { circle, ellipse, group, line, path, polygon, rect } from '../drawing/svg.ts';
import { cutLine, INK, MOTIF_HEIGHT, MOTIF_WIDTH, outline, plate, TONES } from './plate.ts';

/** Heights in pixels: top of the sole plate's bed, floor inside, ground outside. */
const SLAB = 560;
const GROUND = 720;
/** Outer faces: structure, plinth insulation. */
const WALL = 760;
const EDGE = 628;

/** Section through the foot of a timber wall: slab, sole plate, waterproofing, perimeter insulation, gravel. */
export function drawPlinthDetail(): string {
  const sheet = plate();
  sheet.add(
    rect(0, 0, EDGE, GROUND, { fill: TONES.sky, 'fill-opacity': 0.55 }),
    earth(sheet),
    slab(sheet),
    floorBuildUp(),
    wall(sheet),
    perimeter(sheet),
    waterproofing(),
    weather(),
    notes(),
  );
  return sheet.toSvg();
}

function earth(sheet: Canvas): string {
  const random = seededRandom('gravel');
  const ground = diagonal(sheet, '#c6b69d', 24, darken(TONES.earth, 0.35), 0.4);
  const stones = Array.from({ length: 190 }, () => {
    const [x, y] = [EDGE - 214 + random() * 208, GROUND + 14 + random() * 330];
    const r = 9 + random() * 12;
    return ellipse(x, y, r * 1.2, r * 0.86, {
      fill: ['#d8d5cd', '#c3bfb5', '#e6e3db'][Math.floor(random() * 3)],
      stroke: INK,
      'stroke-width': 1.5,
      transform: `rotate(${(random() * 60 - 30).toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)})`,
    });
  });
  const strip = rect(EDGE - 220, GROUND + 4, 220, MOTIF_HEIGHT - GROUND);
  return group([
    path(
      `M0 ${GROUND + 20}C120 ${GROUND + 6} 260 ${GROUND + 12} ${EDGE - 220} ${GROUND + 4}L${EDGE - 220} ${MOTIF_HEIGHT}L0 ${MOTIF_HEIGHT}Z`,
      { fill: ground, ...cutLine },
    ),
    rect(EDGE - 10, SLAB + 316, MOTIF_WIDTH, MOTIF_HEIGHT - SLAB - 316, { fill: ground }),
    rect(EDGE - 220, GROUND + 4, 220, MOTIF_HEIGHT - GROUND, { fill: '#aaa59a' }),
    group(stones, { 'clip-path': sheet.clip(strip) }),
    line([EDGE - 220, GROUND + 4], [EDGE - 220, MOTIF_HEIGHT], cutLine),
    ...Array.from({ length: 26 }, (_, i) => {
      const x = 12 + i * 15;
      const y = GROUND + 18 - Math.sin(i * 0.25) * 6;
      return path(`M${x} ${y}q-3 -16 -9 -24M${x} ${y}q3 -18 2 -32M${x} ${y}q5 -12 12 -20`, {
        fill: 'none',
        stroke: '#54773a',
        'stroke-width': 2.4,
      });
    }),
  ]);
}

function slab(sheet: Canvas): string {
  const [x, y] = [WALL, SLAB];
  const outlinePath = polygon([
    [x, y],
    [MOTIF_WIDTH + 20, y],
    [MOTIF_WIDTH + 20, y + 190],
    [x + 250, y + 190],
    [x + 250, 1000],
    [x, 1000],
  ]);
  return group([
    group([concrete(x, y, MOTIF_WIDTH - x + 20, 450, TONES.concrete, 'slab')], {
      'clip-path': sheet.clip(outlinePath),
    }),
    polygon(
      [
        [x, y],
        [MOTIF_WIDTH + 20, y],
        [MOTIF_WIDTH + 20, y + 190],
        [x + 250, y + 190],
        [x + 250, 1000],
        [x, 1000],
      ],
      { fill: 'none', ...cutLine },
    ),
    softInsulation(x + 254, y + 194, MOTIF_WIDTH - x, 120, '#c9dce5'),
    line([x + 254, y + 314], [MOTIF_WIDTH, y + 314], cutLine),
  ]);
}

function floorBuildUp(): string {
  const x = WALL + 330;
  return group([
    softInsulation(x, SLAB - 108, MOTIF_WIDTH - x + 20, 104, TONES.insulation),
    rect(x, SLAB - 108, MOTIF_WIDTH, 104, { fill: 'none', ...outline }),
    rect(x, SLAB - 168, MOTIF_WIDTH, 60, { fill: '#d9d6cf', ...cutLine }),
    rect(x, SLAB - 192, MOTIF_WIDTH, 24, { fill: TONES.wood, ...cutLine }),
    rect(x - 18, SLAB - 192, 18, 188, { fill: TONES.insulation, ...outline }),
    rect(x - 22, SLAB - 262, 22, 70, { fill: TONES.woodShade, ...outline }),
  ]);
}

/** Sole plate and stud with its layers, cut off above by a break line. */
function wall(sheet: Canvas): string {
  const plateClip = sheet.clip(rect(WALL, SLAB - 92, 230, 84));
  return group([
    softInsulation(WALL, -20, 230, SLAB - 72, TONES.insulation),
    rect(WALL, -20, 230, SLAB - 72, { fill: 'none', ...cutLine }),
    group([endGrain(WALL, SLAB - 92, 230, 84, TONES.wood, [WALL + 80, SLAB + 120])], { 'clip-path': plateClip }),
    rect(WALL, SLAB - 92, 230, 84, { fill: 'none', ...cutLine }),
    rect(WALL, SLAB - 8, 230, 12, { fill: '#8d969b', ...outline }),
    rect(WALL + 230, -20, 28, SLAB + 12, { fill: '#d3b98f', ...cutLine }),
    softInsulation(WALL + 258, -20, 54, SLAB + 12, TONES.insulation),
    rect(WALL + 258, -20, 54, SLAB + 12, { fill: 'none', ...outline }),
    rect(WALL + 312, -20, 22, SLAB - 242, { fill: '#f4f1ea', ...cutLine }),
    rect(WALL - 96, -20, 96, SLAB - 92, {
      fill: diagonal(sheet, '#c8a172', 16, darken(TONES.fibreBoard, 0.35), 0.5),
      ...cutLine,
    }),
    rect(WALL - 126, -20, 30, SLAB - 100, { fill: TONES.paper, ...outline }),
    ...[0, 1, 2].map((i) => rect(WALL - 160, 20 + i * 156 - 60, 34, 148, { fill: TONES.woodShade, ...cutLine })),
    path(`M${WALL - 172} ${SLAB - 118}l60 0l14 26l-74 0z`, { fill: TONES.steel, ...outline }),
    path(`M${WALL + 238} ${SLAB - 2}L${WALL + 238} ${SLAB - 60}`, { stroke: TONES.membrane, 'stroke-width': 8 }),
    path(`M${WALL + 262} ${SLAB - 10}L${WALL + 322} ${SLAB - 10}`, { stroke: TONES.accent, 'stroke-width': 10 }),
  ]);
}

function perimeter(sheet: Canvas): string {
  const dots = sheet.pattern(
    18,
    18,
    rect(0, 0, 18, 18, { fill: '#dfe6e9' }) +
      circle(5, 5, 1.8, { fill: '#7f929c' }) +
      circle(14, 14, 1.8, { fill: '#7f929c' }),
  );
  return group([
    rect(EDGE + 22, SLAB - 84, WALL - EDGE - 36, 524, { fill: dots, ...cutLine }),
    rect(EDGE, SLAB - 84, 22, 330, { fill: TONES.plaster, ...cutLine }),
    rect(EDGE, SLAB + 246, 22, 194, { fill: '#5b656b', ...outline }),
  ]);
}

/** The sheet: from the foundation up over the edge of the slab to the back of the boards. */
function waterproofing(): string {
  const run = `M${WALL - 7} 1000L${WALL - 7} ${SLAB - 120}`;
  return group([
    path(run, { fill: 'none', stroke: INK, 'stroke-width': 17 }),
    path(run, { fill: 'none', stroke: TONES.accent, 'stroke-width': 11 }),
    path(`M${WALL - 14} ${SLAB - 124}l44 0l0 10l-44 0z`, {
      fill: TONES.accent,
      stroke: INK,
      'stroke-width': 1.6,
      transform: `translate(-10 0)`,
    }),
  ]);
}

function weather(): string {
  const drops = [
    [540, 610],
    [585, 566],
    [520, 540],
    [566, 652],
    [598, 618],
  ];
  return group([
    ...[120, 230, 340, 450].map((x, i) =>
      arrow([x + 40, 90 + (i % 2) * 50], [x, 190 + (i % 2) * 50], TONES.membrane, 4),
    ),
    path(`M430 ${GROUND - 6}C470 ${GROUND - 120} 520 ${GROUND - 170} 600 ${GROUND - 190}`, {
      fill: 'none',
      stroke: TONES.membrane,
      'stroke-width': 3,
      'stroke-dasharray': '3 13',
      'stroke-linecap': 'round',
    }),
    ...drops.map(([x = 0, y = 0]) =>
      path(
        `M${x} ${y - 15}C${x + 10} ${y} ${x + 9} ${y + 9} ${x} ${y + 9}C${x - 9} ${y + 9} ${x - 10} ${y} ${x} ${y - 15}Z`,
        { fill: TONES.membrane, 'fill-opacity': 0.75 },
      ),
    ),
  ]);
}

function notes(): string {
  return group([
    dimension([330, GROUND + 2], [330, SLAB - 118], '300', 28),
    line([346, SLAB - 118], [WALL - 170, SLAB - 118], {
      stroke: INK,
      'stroke-width': 1.4,
      'stroke-dasharray': '14 7 3 7',
    }),
    callout('1', [1400, 930], [WALL + 120, 830], [1180, 930]),
    callout('2', [1400, 60], [WALL + 110, SLAB - 50], [1240, 60]),
    callout('3', [180, 900], [WALL - 7, 880], [420, 900]),
    callout('4', [180, 1000], [EDGE + 62, 960], [420, 1000]),
  ]);
}
