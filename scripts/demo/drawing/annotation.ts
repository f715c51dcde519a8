import { letter } from '../lettering/letter.ts';
import { circle, group, line, polyline, type Point } from './svg.ts';

const PEN = { stroke: '#22303a', 'stroke-width': 1.8 } as const;

/** A dimension line with oblique ticks; the figure stands above its middle. Lines run left to right or upwards. */
export function dimension(from: Point, to: Point, figure: string, size = 26): string {
  const angle = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const tick = (x: number) => line([x - 9, 9], [x + 9, -9], { ...PEN, 'stroke-width': 3 });
  return group(
    [
      line([-16, 0], [length + 16, 0], PEN),
      tick(0),
      tick(length),
      letter(figure, { x: length / 2, y: -11, size, weight: 500, anchor: 'middle', fill: '#22303a' }),
    ],
    { transform: `translate(${from[0]} ${from[1]}) rotate(${angle.toFixed(2)})` },
  );
}

/** A numbered bubble with a leader that ends in a dot on what is meant. */
export function callout(label: string, bubble: Point, target: Point, knee?: Point): string {
  return group([
    polyline(knee ? [bubble, knee, target] : [bubble, target], PEN),
    circle(target[0], target[1], 5.5, { fill: '#22303a' }),
    circle(bubble[0], bubble[1], 25, { fill: '#f8f6f1', stroke: '#22303a', 'stroke-width': 2.2 }),
    letter(label, { x: bubble[0], y: bubble[1] + 9, size: 26, weight: 600, anchor: 'middle', fill: '#22303a' }),
  ]);
}

/** An arrow with a slender head. */
export function arrow(from: Point, to: Point, color: string, width = 5): string {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const barb = (turn: number): Point => [
    to[0] - Math.cos(angle + turn) * width * 4.4,
    to[1] - Math.sin(angle + turn) * width * 4.4,
  ];
  return group([
    line(from, to, { stroke: color, 'stroke-width': width, 'stroke-linecap': 'round' }),
    polyline([barb(0.48), to, barb(-0.48)], {
      stroke: color,
      'stroke-width': width,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
  ]);
}
