import type { Canvas } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { group, line, path, rect } from '../drawing/svg.ts';
import { letter } from '../lettering/letter.ts';
import { roll } from './cylinder.ts';
import type { ProductLook } from './product-look.ts';
import { paintShadow, softShadow } from './stage.ts';

interface Sheet {
  color: string;
  print: string;
  surface: 'grid' | 'folded' | 'plain' | 'scrim' | 'glue-zones' | 'liner';
  gloss: number;
  core: string;
}

const PLAIN: Sheet = { color: '#cfdde4', print: '#1f5673', surface: 'plain', gloss: 0.35, core: '#b99a72' };

/** What the membranes look like on the roof or wall; by item number. */
const SHEETS: Readonly<Record<string, Partial<Sheet>>> = {
  'HW-10110': { color: '#c9dce5', surface: 'grid' },
  'HW-10115': { color: '#c9dce5', surface: 'folded' },
  'HW-10220': { color: '#dfe4dd', print: '#56725c' },
  'HW-10340': { color: '#c3c8cc', print: '#4d565c', surface: 'scrim', gloss: 0.85 },
  'HW-10510': { color: '#56646e', print: '#dbe4ea', surface: 'glue-zones' },
  'HW-10620': { color: '#2b3034', print: '#7d868c', gloss: 0.12 },
  'HW-10780': { color: '#34322f', print: '#8a5a1e', surface: 'liner', gloss: 0.2, core: '#8f8a80' },
};

/** Axis of the roll and fall of the sheet, in degrees and pixels. */
const TILT = -13;
const SHEET_LENGTH = 520;

/** A roll lying on the ground, its end drawn out towards us and printed. */
export function drawMembrane(stage: Canvas, { itemNumber, line: name, variant }: ProductLook): void {
  const sheet: Sheet = { ...PLAIN, ...SHEETS[itemNumber] };
  const short = sheet.surface === 'liner';
  const form = { radius: short ? 128 : 122, length: short ? 600 : 800, foreshortening: 0.36 };
  const left = short ? 320 : 222;
  const top = 500;
  paintShadow(stage, left + form.length * 0.52, top + 55, form.length * 0.56, 70, TILT);
  stage.add(
    group([unrolled(stage, sheet, form.length, form.radius, `${name} ${variant}`)], {
      transform: `translate(${left} ${top}) rotate(${TILT})`,
    }),
    group(
      [
        roll(stage, form, {
          color: sheet.color,
          core: 0.42,
          windings: short ? 9 : 16,
          coreColor: sheet.core,
          gloss: sheet.gloss,
        }),
        sheet.surface === 'scrim' ? sheen(stage, form.length, form.radius) : '',
      ],
      { transform: `translate(${left} ${top}) rotate(${TILT})` },
    ),
  );
}

/** The drawn-out end, sheared so that it lies on the ground; printed in rows. */
function unrolled(stage: Canvas, sheet: Sheet, width: number, radius: number, text: string): string {
  const length = SHEET_LENGTH;
  const shade = stage.gradient([
    [0, darken(sheet.color, 0.5)],
    [0.16, darken(sheet.color, 0.2)],
    [0.34, lighten(sheet.color, 0.06)],
    [1, lighten(sheet.color, 0.14)],
  ]);
  const outline = `M0 0L${width} 0L${width} ${length - 6}Q${width * 0.72} ${length + 10} ${width * 0.5} ${length}T0 ${length + 4}Z`;
  const rows = [0.36, 0.57, 0.78].flatMap((share, row) =>
    [0, 1, 2].map((column) =>
      letter(text, {
        x: 70 + column * 420 - (row % 2) * 190,
        y: length * share,
        size: 34,
        weight: 600,
        tracking: 0.04,
        fill: sheet.print,
        opacity: 0.82,
      }),
    ),
  );
  const rim = path(`M${width} ${length - 6}Q${width * 0.72} ${length + 10} ${width * 0.5} ${length}T0 ${length + 4}`, {
    fill: 'none',
    stroke: lighten(sheet.color, 0.55),
    'stroke-width': 3,
  });
  const lying = `matrix(1 0 -0.36 0.86 0 ${radius * 0.55})`;
  return group([
    softShadow(outline, 56, 0.34, `translate(4 10) ${lying}`),
    sheet.surface === 'folded'
      ? group(
          [path(outline, { fill: darken(sheet.color, 0.1), stroke: darken(sheet.color, 0.3), 'stroke-width': 2 })],
          { transform: `translate(22 20) ${lying}` },
        )
      : '',
    group(
      [
        path(outline, { fill: shade }),
        group([...pattern(sheet, width, length), ...rows], { 'clip-path': stage.clip(path(outline)) }),
        rim,
      ],
      { transform: lying },
    ),
  ]);
}

function pattern(sheet: Sheet, width: number, length: number): string[] {
  const ink = { stroke: sheet.print, 'stroke-width': 1.4, 'stroke-opacity': 0.28 };
  const raster = (step: number, look: typeof ink) => [
    ...steps(width, step).map((x) => line([x, 0], [x, length + 20], look)),
    ...steps(length + 20, step).map((y) => line([0, y], [width, y], look)),
  ];
  switch (sheet.surface) {
    case 'grid':
    case 'folded':
      return [
        ...raster(70, ink),
        ...steps(width, 140).map((x) => line([x, length - 26], [x, length + 10], { ...ink, 'stroke-opacity': 0.7 })),
      ];
    case 'scrim':
      return raster(26, { ...ink, stroke: '#ffffff', 'stroke-opacity': 0.5 });
    case 'glue-zones':
      return [width - 58, 12].map((x) => rect(x, 0, 46, length + 20, { fill: '#aeb9bf', 'fill-opacity': 0.55 }));
    case 'liner':
      return [
        path(`M0 ${length * 0.52}L${width} ${length * 0.4}L${width} ${length + 20}L0 ${length + 20}Z`, {
          fill: '#e9e4d6',
        }),
        line([0, length * 0.52], [width, length * 0.4], { stroke: '#fffdf6', 'stroke-width': 5 }),
      ];
    case 'plain':
      return [line([38, 0], [38, length + 20], ink), line([width - 38, 0], [width - 38, length + 20], ink)];
  }
}

/** The bright streaks of aluminium. */
function sheen(stage: Canvas, length: number, radius: number): string {
  const shine = stage.gradient([
    [0, '#ffffff', 0],
    [0.5, '#ffffff', 0.75],
    [1, '#ffffff', 0],
  ]);
  return (
    rect(8, -radius * 0.72, length, radius * 0.42, { fill: shine }) +
    rect(8, radius * 0.28, length, radius * 0.2, { fill: shine, opacity: 0.5 })
  );
}

function steps(end: number, step: number): number[] {
  return Array.from({ length: Math.floor(end / step) }, (_, i) => (i + 1) * step);
}
