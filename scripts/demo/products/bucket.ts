import type { Canvas } from '../drawing/canvas.ts';
import { ellipse, group, path, rect } from '../drawing/svg.ts';
import { wordmark, wordmarkWidth } from '../drawing/wordmark.ts';
import { letter } from '../lettering/letter.ts';
import type { ProductLook } from './product-look.ts';
import { paintShadow } from './stage.ts';
import { bandOutline, paintBand, paintUpright, standingShade, type Upright } from './upright.ts';

const CX = 600;

/** A bucket with a snap-on lid and a wire handle. */
export function drawBucket(stage: Canvas, { line: name, variant, color }: ProductLook): void {
  const body: Upright = { cx: CX, top: 430, bottom: 990, topWidth: 322, bottomWidth: 268, rim: 0.19 };
  paintShadow(stage, CX + 20, 1000, 380, 70);
  stage.add(
    paintUpright(stage, body, '#eeece7', 0.6),
    paintBand(stage, body, 540, 900, color, 0.28),
    paintBand(stage, body, 540, 624, '#f8f6f2', 0.4),
    group(
      [
        wordmark({ x: CX - wordmarkWidth(34) / 2, y: 652, size: 34 }),
        letter(name, { x: CX, y: 792, size: 82, weight: 700, anchor: 'middle', tracking: 0.03, fill: '#ffffff' }),
        letter(`${variant} l`, { x: CX, y: 868, size: 50, weight: 500, anchor: 'middle', fill: '#ffffff' }),
        rect(CX - 150, 906, 300, 4, { fill: '#ffffff', opacity: 0.7 }),
      ],
      { 'clip-path': stage.clip(path(bandOutline(body, 540, 900))) },
    ),
    lid(stage),
    handle(),
  );
}

function lid(stage: Canvas): string {
  const rim = stage.gradient(standingShade('#f3f1ec', 0.6), [0, 0], [1, 0]);
  const top = stage.gradient(
    [
      [0, '#ffffff'],
      [1, '#dcd9d2'],
    ],
    [0, 0],
    [0.7, 1],
  );
  return group([
    path(`M${CX - 340} 400A340 66 0 0 1 ${CX + 340} 400L${CX + 334} 446A334 64 0 0 1 ${CX - 334} 446Z`, { fill: rim }),
    ellipse(CX, 400, 340, 66, { fill: top, stroke: '#ffffff', 'stroke-width': 2 }),
    ellipse(CX, 402, 296, 54, { fill: 'none', stroke: '#c3c0b9', 'stroke-width': 3 }),
    ellipse(CX, 405, 290, 52, { fill: 'none', stroke: '#ffffff', 'stroke-width': 3 }),
    path(`M${CX + 200} 452l56 -12l6 26l-56 14z`, { fill: '#dedbd4', stroke: '#c3c0b9', 'stroke-width': 1.5 }),
  ]);
}

/** The wire bail, standing, with its grip. */
function handle(): string {
  const wire = `M${CX - 330} 476C${CX - 352} 150 ${CX + 352} 150 ${CX + 330} 476`;
  const ear = (side: number) =>
    ellipse(CX + side * 330, 476, 18, 24, { fill: '#dedbd4', stroke: '#a9a69f', 'stroke-width': 2 });
  return group([
    path(wire, { fill: 'none', stroke: '#7b8388', 'stroke-width': 10 }),
    path(wire, { fill: 'none', stroke: '#dfe3e5', 'stroke-width': 3.5, transform: 'translate(-1.5 -2)' }),
    rect(CX - 92, 216, 184, 32, { fill: '#f3f1ec', stroke: '#b9b6af', 'stroke-width': 2, rx: 16 }),
    rect(CX - 84, 221, 168, 8, { fill: '#ffffff', rx: 4 }),
    ear(-1),
    ear(1),
  ]);
}
