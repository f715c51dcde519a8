import type { Canvas } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { at, circle, ellipse, group, path, polygon, round, type Point } from '../drawing/svg.ts';
import { seededRandom } from '../drawing/random.ts';
import { letter } from '../lettering/letter.ts';
import { roll } from './cylinder.ts';
import type { ProductLook } from './product-look.ts';
import { paintShadow, softShadow } from './stage.ts';

const TILT = -9;

/** Millimetres of foam width to pixels; the two tapes are 15 and 54 mm wide. */
function rollWidth(variant: string): number {
  const width = Number(/(?<!\d)(\d+)\/\d+-\d+/.exec(variant)?.[1] ?? 20);
  return 60 + width * 4.4;
}

/** A tightly wound roll of dark foam; its end has been released and swells to its full thickness. */
export function drawCompressionTape(stage: Canvas, { line: name, variant, color, itemNumber }: ProductLook): void {
  const width = rollWidth(variant);
  const form = { radius: 265, length: width, foreshortening: 0.76 };
  const x = 470 - width * 0.4;
  const y = 470;
  const three = variant.startsWith('Trio');
  paintShadow(stage, x + width * 0.5, y + 258, 250 + width * 0.5, 62, TILT);
  stage.add(
    swellingEnd(stage, x, y, width, color, three),
    group(
      [
        roll(stage, form, { color, faceColor: '#59636b', core: 0.36, windings: 26, coreColor: '#c9b48f', gloss: 0.1 }),
        label(name, variant, form.radius * 0.76, form.radius),
      ],
      { transform: `translate(${x} ${y}) rotate(${TILT})` },
    ),
    cells(itemNumber, x, y),
  );
}

/** The paper ring on the face, with name and size. */
function label(name: string, variant: string, rx: number, ry: number): string {
  const ring = (share: number) => {
    const [a, b] = [round(rx * share), round(ry * share)];
    return `M${at([-a, 0])}A${a} ${b} 0 1 1 ${at([a, 0])}A${a} ${b} 0 1 1 ${at([-a, 0])}Z`;
  };
  return group([
    path(ring(0.68) + ring(0.37), { fill: '#f6f4ef', 'fill-rule': 'evenodd' }),
    path(ring(0.68) + ring(0.64), { fill: '#d9572b', 'fill-rule': 'evenodd' }),
    letter(name, { x: 0, y: -ry * 0.46, size: 25, weight: 700, anchor: 'middle', tracking: 0.05 }),
    letter(variant, { x: 0, y: ry * 0.53, size: 24, weight: 600, anchor: 'middle' }),
  ]);
}

/** A strip on the floor that grows from a few pixels to its full height. */
function swellingEnd(stage: Canvas, x: number, y: number, width: number, color: string, three: boolean): string {
  const start: Point = [x - 10, y + 262];
  const along: Point = [0.78, 0.4];
  const across: Point = [0.985 * width, -0.155 * width];
  const spine = Array.from({ length: 19 }, (_, i): { base: Point; height: number } => {
    const reach = i * 34;
    const grown = 1 / (1 + Math.exp(-(reach - 260) / 75));
    return { base: [start[0] + along[0] * reach, start[1] + along[1] * reach], height: 16 + 74 * grown };
  });
  const near = spine.map(({ base }) => base);
  const top = spine.map(({ base, height }): Point => [base[0], base[1] - height]);
  const shift = ([px, py]: Point): Point => [px + across[0], py + across[1]];
  const last = near.at(-1) ?? start;
  const lastTop = top.at(-1) ?? start;
  const upper = [...top, ...top.map(shift).toReversed()];
  const stripe = (from: number, to: number, fill: string) =>
    polygon(
      [
        ...top.map(([px, py]): Point => [px + across[0] * from, py + across[1] * from]),
        ...top.map(([px, py]): Point => [px + across[0] * to, py + across[1] * to]).toReversed(),
      ],
      { fill },
    );
  const flank = stage.gradient([
    [0, lighten(color, 0.16)],
    [1, darken(color, 0.3)],
  ]);
  return group([
    softShadow(`M${[start, last, shift(last), shift(start)].map(at).join('L')}Z`, 60, 0.42, 'translate(4 10)'),
    polygon([last, lastTop, shift(lastTop), shift(last)], { fill: darken(color, 0.45) }),
    polygon([...near, ...top.toReversed()], { fill: flank }),
    polygon(upper, { fill: lighten(color, 0.12) }),
    three ? stripe(0, 0.3, '#d9572b') + stripe(0.3, 0.36, '#f6f4ef') + stripe(0.68, 1, lighten(color, 0.3)) : '',
    path(`M${top.map(at).join('L')}`, {
      fill: 'none',
      stroke: lighten(color, 0.5),
      'stroke-width': 2.5,
      'stroke-opacity': 0.7,
    }),
  ]);
}

/** The open cells of the foam on the flank of the released end. */
function cells(seed: string, x: number, y: number): string {
  const random = seededRandom(seed);
  const start: Point = [x - 10, y + 262];
  const dots = Array.from({ length: 240 }, () => {
    const reach = 250 + random() * 360;
    const up = random() * 72 * Math.min(1, (reach - 200) / 160);
    const [px, py] = [start[0] + 0.78 * reach, start[1] + 0.4 * reach - 6 - up];
    const size = 1.2 + random() * 2.4;
    return random() > 0.4
      ? ellipse(px, py, size * 1.4, size, { fill: '#10171b', 'fill-opacity': 0.42 })
      : circle(px, py, size * 0.6, { fill: '#ffffff', 'fill-opacity': 0.25 });
  });
  return group(dots);
}
