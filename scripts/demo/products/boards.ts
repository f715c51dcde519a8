import { axonometry, type Axonometry, type Point3 } from '../drawing/axonometry.ts';
import type { Canvas } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { fibres } from '../drawing/fibres.ts';
import { at, group } from '../drawing/svg.ts';
import { letter } from '../lettering/letter.ts';
import type { ProductLook } from './product-look.ts';
import { softShadow } from './stage.ts';

interface Stack {
  color: string;
  /** Board in units of a tenth of a metre, as it lies: length, width, thickness. */
  size: Point3;
  count: number;
  tongue: boolean;
  /** Fibres to the square unit. */
  density: number;
}

const BATTS: Stack = { color: '#c79b62', size: [8.8, 5.75, 1.6], count: 3, tongue: false, density: 26 };

/** By item number; anything else of the line is drawn as batts. */
const STACKS: Readonly<Record<string, Stack>> = {
  'HW-60116': BATTS,
  'HW-60260': { color: '#a87846', size: [9.6, 5.6, 0.72], count: 5, tongue: true, density: 36 },
};

/** A stack of boards; the upper one is pushed back a little and shows its edge. */
export function drawBoards(stage: Canvas, { line: name, variant, itemNumber, color: ink }: ProductLook): void {
  const stack = STACKS[itemNumber] ?? BATTS;
  const space = axonometry({ origin: [150, 690], scale: 68, xAngle: 24, yAngle: 33, depth: 0.86 });
  const [w, d, h] = stack.size;
  const ground = [
    [0, 0, 0],
    [w, 0, 0],
    [w, d, 0],
    [0, d, 0],
  ].map(([x = 0, y = 0, z = 0]) => space.project([x, y, z]));
  stage.add(softShadow(`M${ground.map(at).join('L')}Z`, 110, 0.5, 'translate(10 26)'));
  for (let i = 0; i < stack.count; i++) {
    const slide = i === stack.count - 1 ? -0.55 : i % 2 ? 0.06 : 0;
    stage.add(board(space, stack, [slide, slide ? 0.3 : 0, i * h], `${itemNumber}-${i}`));
  }
  const top = stack.count * h;
  const [ox, oy] = space.project([0.4, 1.1, top]);
  const [ux, uy] = space.project([1.4, 1.1, top]);
  const [vx, vy] = space.project([0.4, 0.1, top]);
  const plane = [ux - ox, uy - oy, vx - ox, vy - oy].map((value) => value / 100);
  stage.add(
    group(
      [
        letter(name, { x: 0, y: 0, size: 84, weight: 700, tracking: 0.04, fill: darken(ink, 0.45), opacity: 0.72 }),
        letter(variant, { x: 52, y: 78, size: 60, weight: 500, fill: darken(ink, 0.45), opacity: 0.72 }),
      ],
      { transform: `matrix(${plane.map((value) => value.toFixed(4)).join(' ')} ${at([ox, oy])})` },
    ),
  );
}

function board(space: Axonometry, { color, size, tongue, density }: Stack, corner: Point3, seed: string): string {
  const [x, y, z] = corner;
  const [w, d, h] = size;
  const face = (origin: Point3, u: Point3, v: Point3, area: number, tint: string, side: string) =>
    fibres(space, {
      corner: origin,
      u,
      v,
      count: Math.round(area * density),
      color: tint,
      length: 0.06,
      seed: seed + side,
    });
  return group([
    space.box(corner, size, { color, line: darken(color, 0.42), lineWidth: 1.6 }),
    face([x, y, z + h], [w, 0, 0], [0, d, 0], w * d, lighten(color, 0.16), 'top'),
    face([x, y, z], [w, 0, 0], [0, 0, h], w * h * 2.4, color, 'front'),
    face([x + w, y, z], [0, d, 0], [0, 0, h], d * h * 2.4, darken(color, 0.16), 'side'),
    tongue ? tongues(space, corner, size, color) : '',
  ]);
}

/** The tongue along the front and the right side, a third of the thickness. */
function tongues(space: Axonometry, [x, y, z]: Point3, [w, d, h]: Point3, color: string): string {
  const edge = { line: darken(color, 0.42), lineWidth: 1.4 };
  return group([
    space.box([x + w, y, z + h * 0.36], [0.16, d, h * 0.3], { color: darken(color, 0.06), ...edge }),
    space.box([x, y - 0.16, z + h * 0.36], [w, 0.16, h * 0.3], { color: lighten(color, 0.04), ...edge }),
  ]);
}
