import { axonometry } from '../drawing/axonometry.ts';
import type { Canvas } from '../drawing/canvas.ts';
import { at, ellipse, group, path, round, type Point } from '../drawing/svg.ts';
import { letter } from '../lettering/letter.ts';
import type { ProductLook } from './product-look.ts';
import { softShadow } from './stage.ts';
import { standingShade } from './upright.ts';

/** A square rubber patch on its liner; in the middle a cone that a cable has been drawn through. */
export function drawGrommet(stage: Canvas, { line: name, variant }: ProductLook): void {
  const space = axonometry({ origin: [92, 720], scale: 0.92, xAngle: 22, yAngle: 32, depth: 0.9 });
  const corner = (inset: number): string => {
    const [a, b] = [inset, 640 - inset];
    const square = [
      [a, a],
      [b, a],
      [b, b],
      [a, b],
    ].map(([x = 0, y = 0]) => space.project([x, y, 0]));
    return rounded(square, 0.09);
  };
  const [cx, cy] = space.project([320, 320, 0]);
  const rubber = stage.gradient(
    [
      [0, '#4a5156'],
      [0.5, '#32383c'],
      [1, '#23282b'],
    ],
    [0, 0],
    [0.6, 1],
  );
  stage.add(
    softShadow(corner(-6), 90, 0.45, 'translate(10 24)'),
    path(corner(-14), { fill: '#efece4', stroke: '#cfcbc1', 'stroke-width': 2 }),
    path(corner(6), { fill: rubber, transform: 'translate(0 -7)', stroke: '#5d656a', 'stroke-width': 2 }),
    group(
      [
        letter(name, { x: 0, y: 0, size: 46, weight: 700, tracking: 0.08, fill: '#cfd4d6', opacity: 0.85 }),
        letter(variant, { x: 34, y: 52, size: 40, weight: 500, fill: '#cfd4d6', opacity: 0.85 }),
      ],
      { transform: lying(space.project([52, 128, 0]), 22, 32, 0.9) },
    ),
    cone(stage, cx, cy - 8),
    cable(cx, cy),
  );
}

function cone(stage: Canvas, cx: number, cy: number): string {
  const flank = stage.gradient(standingShade('#3a4146', 0.22), [0, 0], [1, 0]);
  return group([
    ellipse(cx, cy, 168, 84, { fill: '#1b2023', 'fill-opacity': 0.55 }),
    ellipse(cx, cy - 4, 150, 75, { fill: '#3c4347' }),
    path(
      `M${cx - 128} ${cy - 6}C${cx - 88} ${cy - 30} ${cx - 62} ${cy - 70} ${cx - 56} ${cy - 128}A56 22 0 0 1 ${cx + 56} ${cy - 128}C${cx + 62} ${cy - 70} ${cx + 88} ${cy - 30} ${cx + 128} ${cy - 6}A128 62 0 0 1 ${cx - 128} ${cy - 6}Z`,
      { fill: flank },
    ),
    ellipse(cx, cy - 128, 56, 22, { fill: '#545c61' }),
    ellipse(cx, cy - 126, 42, 16, { fill: '#14181a' }),
  ]);
}

/** The sheathed cable comes out of the cone and bends away to the upper right. */
function cable(cx: number, cy: number): string {
  const run = `M${cx} ${cy - 130}C${cx} ${round(cy - 330)} ${cx + 60} ${round(cy - 420)} ${cx + 260} ${round(cy - 520)}`;
  const strand = (dx: number, width: number, stroke: string, opacity = 1) =>
    path(run, {
      fill: 'none',
      stroke,
      'stroke-width': width,
      'stroke-opacity': opacity,
      'stroke-linecap': 'butt',
      transform: `translate(${dx} 0)`,
    });
  const end: Point = [cx + 260, cy - 520];
  const wires = ['#7a4a24', '#2b62a3', '#54773a'].map((fill, i) =>
    path(`M${at([end[0] - 10, end[1] - 18 + i * 18])}l${70 - i * 8} ${-38 + i * 2}`, {
      fill: 'none',
      stroke: fill,
      'stroke-width': 15,
      'stroke-linecap': 'round',
    }),
  );
  return group([
    ...wires,
    strand(0, 72, '#a9adaf'),
    strand(-7, 48, '#c6cacb'),
    strand(-15, 18, '#f1f3f3', 0.85),
    strand(26, 12, '#6f7679', 0.55),
  ]);
}

/** A polygon with its corners rounded off by a share of each edge. */
function rounded(points: readonly Point[], share: number): string {
  const parts = points.map((point, i) => {
    const before = points.at(i - 1) ?? point;
    const after = points[(i + 1) % points.length] ?? point;
    const toward = (to: Point): Point => [point[0] + (to[0] - point[0]) * share, point[1] + (to[1] - point[1]) * share];
    return `${i === 0 ? 'M' : 'L'}${at(toward(before))}Q${at(point)} ${at(toward(after))}`;
  });
  return `${parts.join('')}Z`;
}

/** Lays lettering on the floor: its baseline along x, its height along the depth. */
function lying([x, y]: Point, xAngle: number, yAngle: number, depth: number): string {
  const [xa, ya] = [(xAngle * Math.PI) / 180, (yAngle * Math.PI) / 180];
  return `matrix(${[Math.cos(xa), Math.sin(xa), -Math.cos(ya) * depth, Math.sin(ya) * depth].map((v) => v.toFixed(4)).join(' ')} ${at([x, y])})`;
}
