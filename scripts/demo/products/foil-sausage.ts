import type { Canvas } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { ellipse, group, path, rect, round } from '../drawing/svg.ts';
import { seededRandom } from '../drawing/random.ts';
import { wordmark } from '../drawing/wordmark.ts';
import { letter } from '../lettering/letter.ts';
import { roundShade } from './cylinder.ts';
import type { ProductLook } from './product-look.ts';
import { paintShadow } from './stage.ts';

const LENGTH = 780;
const RADIUS = 96;
const TILT = -16;

/** A soft foil pack lying on the ground, gathered at both ends and closed with metal clips. */
export function drawFoilSausage(stage: Canvas, { line: name, variant, color, itemNumber }: ProductLook): void {
  paintShadow(stage, 606, 716, 470, 74, TILT);
  const foil = '#c9ced1';
  const pack = `M0 0C26 -40 52 -${RADIUS - 8} 128 -${RADIUS}L${LENGTH - 128} -${RADIUS}C${LENGTH - 52} -${RADIUS - 8} ${LENGTH - 26} -40 ${LENGTH} 0C${LENGTH - 26} 44 ${LENGTH - 52} ${RADIUS - 8} ${LENGTH - 128} ${RADIUS}L128 ${RADIUS}C52 ${RADIUS - 8} 26 44 0 0Z`;
  const clip = stage.clip(path(pack));
  stage.add(
    group(
      [
        clasp(stage, -1),
        clasp(stage, 1),
        path(pack, { fill: stage.gradient(roundShade(foil, 0.75)) }),
        group(
          [
            rect(132, -RADIUS, LENGTH - 264, RADIUS * 2, { fill: stage.gradient(roundShade(color, 0.3)) }),
            rect(132, -RADIUS, 92, RADIUS * 2, { fill: stage.gradient(roundShade('#f3f1ec', 0.6)) }),
            ...folds(itemNumber),
            group([wordmark({ x: 0, y: 0, size: 22 })], { transform: 'translate(186 82) rotate(-90)' }),
            letter(name, { x: 252, y: 16, size: 70, weight: 700, tracking: 0.02, fill: '#ffffff' }),
            letter(variant, { x: 254, y: 58, size: 32, weight: 500, fill: '#ffffff' }),
          ],
          { 'clip-path': clip },
        ),
      ],
      { transform: `translate(150 740) rotate(${TILT}) scale(1.2)` },
    ),
  );
}

/** The clip and the tuft of foil beyond it, at the left (-1) or right (1) end. */
function clasp(stage: Canvas, side: -1 | 1): string {
  const x = side < 0 ? 0 : LENGTH;
  const metal = stage.gradient(roundShade('#a9b0b4', 0.8));
  return group([
    path(
      `M${x} -14C${x + side * 26} -20 ${x + side * 44} -44 ${x + side * 58} -40C${x + side * 50} -10 ${x + side * 54} 16 ${x + side * 60} 36C${x + side * 40} 34 ${x + side * 24} 20 ${x} 14Z`,
      {
        fill: lighten('#b9bfc3', 0.25),
        stroke: darken('#b9bfc3', 0.3),
        'stroke-width': 1.5,
      },
    ),
    ellipse(x + side * 9, 0, 9, 19, { fill: metal, stroke: '#6f777c', 'stroke-width': 1.5 }),
  ]);
}

/** Creases that run from the gathered ends into the pack. */
function folds(seed: string): string[] {
  const random = seededRandom(seed);
  return [0, LENGTH].flatMap((end) =>
    Array.from({ length: 15 }, (_, i) => {
      const spread = (i - 7) * 13;
      const reach = 70 + random() * 90;
      const to = end === 0 ? reach : LENGTH - reach;
      return path(
        `M${end} ${round(spread * 0.12)}Q${round((end + to) / 2)} ${round(spread * 0.9)} ${round(to)} ${round(spread * 1.05)}`,
        {
          fill: 'none',
          stroke: i % 2 ? '#ffffff' : '#59636a',
          'stroke-width': i % 2 ? 2.2 : 1.6,
          'stroke-opacity': i % 2 ? 0.6 : 0.32,
        },
      );
    }),
  );
}
