import type { Canvas } from '../drawing/canvas.ts';
import { ellipse, group, path, rect } from '../drawing/svg.ts';

/** Width and height of a product picture in pixels. */
export const STAGE = 1200;

/** The light, neutral ground that every product stands on. */
export function paintGround(sheet: Canvas): void {
  const light = sheet.radial(
    [
      [0, '#fbfaf8'],
      [0.55, '#f5f3ef'],
      [1, '#e6e3dd'],
    ],
    0.46,
    0.4,
    0.72,
  );
  sheet.add(rect(0, 0, STAGE, STAGE, { fill: light }));
}

/** A wide, faint shadow with a small dark one where the product touches the ground. Angles in degrees. */
export function paintShadow(sheet: Canvas, cx: number, cy: number, rx: number, ry: number, angle = 0): void {
  const wide = fading(sheet, '#2a2f33', 0.34);
  const close = fading(sheet, '#14191c', 0.62);
  const transform = `rotate(${angle} ${cx} ${cy})`;
  sheet.add(
    ellipse(cx + rx * 0.06, cy + ry * 0.25, rx * 1.35, ry * 2.1, { fill: wide, transform }),
    ellipse(cx, cy, rx * 1.12, ry * 0.95, { fill: close, transform }),
  );
}

/** The shadow of a flat thing that lies on the ground: its outline in ever wider, faint strokes. No filter: those are slow. */
export function softShadow(outline: string, spread: number, opacity: number, transform: string): string {
  const steps = 7;
  const veils = Array.from({ length: steps }, (_, i) =>
    path(outline, {
      fill: '#1c2226',
      stroke: '#1c2226',
      'stroke-width': (spread * (i + 0.5)) / steps,
      'stroke-linejoin': 'round',
      opacity: opacity / steps,
    }),
  );
  return group(veils, { transform });
}

function fading(sheet: Canvas, color: string, opacity: number): string {
  return sheet.radial([
    [0, color, opacity],
    [0.35, color, opacity * 0.72],
    [0.65, color, opacity * 0.28],
    [0.85, color, opacity * 0.07],
    [1, color, 0],
  ]);
}
