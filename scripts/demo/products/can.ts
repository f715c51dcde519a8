import type { Canvas } from '../drawing/canvas.ts';
import { ellipse, group, path, rect } from '../drawing/svg.ts';
import { wordmark, wordmarkWidth } from '../drawing/wordmark.ts';
import { letter } from '../lettering/letter.ts';
import type { ProductLook } from './product-look.ts';
import { paintShadow } from './stage.ts';
import { bandOutline, paintBand, paintUpright, standingShade, type Upright } from './upright.ts';

const CX = 600;

/** A pressurised can with the screw ring for a foam gun. */
export function drawCan(stage: Canvas, { line: name, variant, color }: ProductLook): void {
  const body: Upright = { cx: CX, top: 360, bottom: 1030, topWidth: 150, bottomWidth: 150, rim: 0.17 };
  const steel = '#c3c8cb';
  paintShadow(stage, CX + 14, 1036, 240, 56);
  stage.add(
    paintUpright(stage, body, color, 0.32),
    ring(stage),
    shoulder(stage, steel),
    paintBand(stage, body, 352, 384, steel, 0.7),
    paintBand(stage, body, 430, 560, '#f6f4ef', 0.4),
    paintBand(stage, body, 1008, 1034, steel, 0.7),
    lettering(stage, body, name, variant),
  );
}

function shoulder(stage: Canvas, steel: string): string {
  const shade = stage.gradient(standingShade(steel, 0.7), [0, 0], [1, 0]);
  return group([
    path(
      `M${CX - 150} 366C${CX - 146} 300 ${CX - 96} 262 ${CX - 62} 254L${CX + 62} 254C${CX + 96} 262 ${CX + 146} 300 ${CX + 150} 366A150 26 0 0 1 ${CX - 150} 366Z`,
      { fill: shade },
    ),
    ellipse(CX, 256, 62, 13, { fill: '#aab1b5', stroke: '#8a9296', 'stroke-width': 2 }),
  ]);
}

/** The plastic ring the gun is screwed onto, and the valve inside it. */
function ring(stage: Canvas): string {
  const plastic = stage.gradient(standingShade('#3a4248', 0.3), [0, 0], [1, 0]);
  return group([
    rect(CX - 10, 150, 20, 60, { fill: '#e6e3dc', stroke: '#b9b6af', 'stroke-width': 1.5, rx: 5 }),
    rect(CX - 50, 184, 100, 76, { fill: plastic, rx: 7 }),
    ...[-36, -20, -4, 12, 28].map((dx) => rect(CX + dx, 190, 7, 66, { fill: '#11181c', 'fill-opacity': 0.32, rx: 3 })),
    ellipse(CX, 186, 50, 11, { fill: '#545d63' }),
    ellipse(CX, 186, 34, 7, { fill: '#1d2428' }),
    rect(CX - 8, 146, 16, 42, { fill: '#efece6', rx: 4 }),
  ]);
}

function lettering(stage: Canvas, body: Upright, name: string, variant: string): string {
  return group(
    [
      wordmark({ x: CX - wordmarkWidth(27) / 2, y: 526, size: 27 }),
      letter(name, { x: CX, y: 680, size: 50, weight: 700, anchor: 'middle', tracking: 0.02, fill: '#ffffff' }),
      letter(variant, { x: CX, y: 818, size: 118, weight: 600, anchor: 'middle', fill: '#ffffff' }),
      letter('ml', { x: CX, y: 872, size: 40, weight: 500, anchor: 'middle', fill: '#ffffff' }),
      rect(CX - 104, 926, 208, 3, { fill: '#ffffff', opacity: 0.7 }),
    ],
    { 'clip-path': stage.clip(path(bandOutline(body, 380, 1000))) },
  );
}
