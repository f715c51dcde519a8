import type { Canvas } from '../drawing/canvas.ts';
import { ellipse, group, path, rect } from '../drawing/svg.ts';
import { wordmark, wordmarkWidth } from '../drawing/wordmark.ts';
import { letter } from '../lettering/letter.ts';
import type { ProductLook } from './product-look.ts';
import { paintShadow } from './stage.ts';
import { bandOutline, paintBand, standingShade, type Upright } from './upright.ts';

const CX = 600;

/** A bottle of a litre with a sponge applicator on its cap. */
export function drawBottle(stage: Canvas, { line: name, variant, color }: ProductLook): void {
  const body: Upright = { cx: CX, top: 520, bottom: 1024, topWidth: 166, bottomWidth: 166, rim: 0.15 };
  const plastic = stage.gradient(standingShade('#eceae4', 0.7), [0, 0], [1, 0]);
  paintShadow(stage, CX + 14, 1030, 250, 56);
  stage.add(
    sponge(stage, color),
    path(
      `M${CX - 52} 348C${CX - 56} 420 ${CX - 166} 424 ${CX - 166} 540L${CX - 166} 1016A166 25 0 0 0 ${CX + 166} 1016` +
        `L${CX + 166} 540C${CX + 166} 424 ${CX + 56} 420 ${CX + 52} 348Z`,
      { fill: plastic },
    ),
    path(`M${CX - 120} 470C${CX - 80} 436 ${CX - 60} 410 ${CX - 50} 372`, {
      fill: 'none',
      stroke: '#ffffff',
      'stroke-width': 12,
      'stroke-linecap': 'round',
      'stroke-opacity': 0.7,
    }),
    paintBand(stage, body, 568, 950, color),
    paintBand(stage, body, 568, 676, '#f8f6f2', 0.4),
    group(
      [
        wordmark({ x: CX - wordmarkWidth(29) / 2, y: 652, size: 29 }),
        letter(name, { x: CX, y: 800, size: 52, weight: 700, anchor: 'middle', tracking: 0.02, fill: '#ffffff' }),
        letter(variant, { x: CX, y: 858, size: 40, weight: 500, anchor: 'middle', fill: '#ffffff' }),
        rect(CX - 110, 896, 220, 3, { fill: '#ffffff', opacity: 0.7 }),
      ],
      { 'clip-path': stage.clip(path(bandOutline(body, 560, 960))) },
    ),
  );
}

/** The threaded cap in the colour of the line, the sponge and the drop of milky primer on it. */
function sponge(stage: Canvas, color: string): string {
  const cap = stage.gradient(standingShade(color, 0.35), [0, 0], [1, 0]);
  const foam = stage.gradient(standingShade('#e9cf7a', 0.35), [0, 0], [1, 0]);
  return group([
    path(
      `M${CX - 56} 196C${CX - 60} 150 ${CX - 40} 122 ${CX} 122C${CX + 40} 122 ${CX + 60} 150 ${CX + 56} 196L${CX + 52} 246L${CX - 52} 246Z`,
      { fill: foam },
    ),
    ...[
      [-30, 160, 5],
      [-8, 144, 3.5],
      [14, 172, 5.5],
      [30, 206, 4],
      [-22, 206, 4],
      [2, 224, 3],
    ].map(([dx = 0, y = 0, r = 0]) => ellipse(CX + dx, y, r * 1.4, r, { fill: '#8f7425', 'fill-opacity': 0.35 })),
    rect(CX - 68, 240, 136, 112, { fill: cap, rx: 10 }),
    ...Array.from({ length: 11 }, (_, i) =>
      rect(CX - 60 + i * 11.4, 252, 4, 90, { fill: '#10181c', 'fill-opacity': 0.22, rx: 2 }),
    ),
    ellipse(CX, 242, 68, 11, { fill: '#ffffff', 'fill-opacity': 0.2 }),
  ]);
}
