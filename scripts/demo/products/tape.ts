import type { Canvas } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { group, line, path, round } from '../drawing/svg.ts';
import { letter, letteringWidth } from '../lettering/letter.ts';
import { roll } from './cylinder.ts';
import type { ProductLook } from './product-look.ts';
import { paintShadow, softShadow } from './stage.ts';

interface Tape {
  /** Backing, as seen on the flank and on the drawn-out end. */
  color: string;
  print: string;
  /** Adhesive and liner, as seen on the face. */
  face: string;
  /** Radius of the roll and width of the tape in pixels. */
  radius: number;
  width: number;
  core: number;
  windings: number;
}

const USUAL: Tape = {
  color: '#b5412b',
  print: '#ffffff',
  face: '#d8b9a4',
  radius: 285,
  width: 165,
  core: 0.4,
  windings: 16,
};

/** By item number. */
const TAPES: Readonly<Record<string, Partial<Tape>>> = {
  'HW-20165': { width: 400, radius: 270 },
  'HW-20260': { color: '#c7a878', print: '#5d3a22', face: '#dcc6a2', radius: 300 },
  'HW-20410': { color: '#eceae4', print: '#b5412b', face: '#dfe3e4', width: 270 },
  'HW-20525': { color: '#2e2d2c', print: '#d9d4c8', face: '#4a4744', radius: 240, width: 120, windings: 9 },
  'HW-20650': { color: '#d9dbd8', print: '#6b7378', face: '#c3c7c6', width: 150, windings: 8, radius: 300 },
};

/** Turns lettering the right way round in the strip's frame, and slants it until it reads upright on the picture. */
const UPRIGHT = 'matrix(1 0 0.75 -1 0 0)';

/** How far the axis is turned towards us, and how much the roll is seen from above. */
const FORESHORTENING = 0.74;
const TILT = -9;

/** A roll standing on its flank, the printed end drawn out towards the right. */
export function drawTape(stage: Canvas, { itemNumber, line: name, variant, color }: ProductLook): void {
  const tape: Tape = { ...USUAL, color, ...TAPES[itemNumber] };
  const form = { radius: tape.radius, length: tape.width, foreshortening: FORESHORTENING };
  const x = 520 - tape.width * 0.55;
  const y = 470;
  paintShadow(stage, x + tape.width * 0.55, y + tape.radius * 0.98, tape.radius * 0.86 + tape.width * 0.5, 62, TILT);
  stage.add(
    tail(stage, tape, x, y, `${name} ${variant}`),
    group(
      [
        roll(stage, form, { color: tape.color, faceColor: tape.face, core: tape.core, windings: tape.windings }),
        band(tape, form.length),
      ],
      {
        transform: `translate(${x} ${y}) rotate(${TILT})`,
      },
    ),
  );
}

/** Two fine lines where the edge of the last winding lies. */
function band(tape: Tape, length: number): string {
  const rx = tape.radius * FORESHORTENING;
  const arc = (at: number) =>
    `M${round(at)} ${-tape.radius}A${round(rx)} ${tape.radius} 0 0 1 ${round(at)} ${tape.radius}`;
  return path(arc(length * 0.04), {
    fill: 'none',
    stroke: lighten(tape.color, 0.5),
    'stroke-width': 2,
    'stroke-opacity': 0.45,
  });
}

/** The drawn-out end lies on the ground: a strip in the plane of the floor, with the name on it. */
function tail(stage: Canvas, tape: Tape, x: number, y: number, text: string): string {
  const length = 640;
  const { width } = tape;
  // Along the strip: down to the right. Across it: the direction of the roll's axis.
  const lying = `matrix(0.72 0.45 0.985 -0.155 ${round(x - tape.radius * 0.02)} ${round(y + tape.radius * 0.965)})`;
  const outline = `M-60 0L${length} 0L${length + 18} ${width * 0.3}L${length - 10} ${width * 0.62}L${length + 12} ${width}L-60 ${width}Z`;
  const shade = stage.gradient(
    [
      [0, darken(tape.color, 0.5)],
      [0.3, darken(tape.color, 0.12)],
      [0.7, lighten(tape.color, 0.1)],
      [1, lighten(tape.color, 0.02)],
    ],
    [0, 0],
    [1, 0],
  );
  const size = Math.min(66, width * 0.4);
  const step = letteringWidth(text, size, 600, 0.03) + 70;
  const rows = width > 220 ? [0.3, 0.72] : [0.5];
  const words = rows.flatMap((share, row) =>
    [0, 1, 2].map((i) =>
      group(
        [letter(text, { x: 0, y: size * 0.36, size, weight: 600, tracking: 0.03, fill: tape.print, opacity: 0.9 })],
        {
          transform: `translate(${round(30 + i * step - row * step * 0.4)} ${round(width * (1 - share))}) ${UPRIGHT}`,
        },
      ),
    ),
  );
  return group([
    softShadow(outline, 40, 0.4, `translate(0 10) ${lying}`),
    group(
      [
        path(outline, { fill: shade }),
        group(words, { 'clip-path': stage.clip(path(outline)) }),
        line([-60, 0], [length, 0], { stroke: lighten(tape.color, 0.55), 'stroke-width': 3 }),
      ],
      { transform: lying },
    ),
  ]);
}
