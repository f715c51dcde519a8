import type { Canvas, Stop } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { at, path, round } from '../drawing/svg.ts';

/** A standing round body: its rims appear as ellipses, `rim` times as high as they are wide. */
export interface Upright {
  cx: number;
  /** Where the rims' centres lie. */
  top: number;
  bottom: number;
  /** Half widths at both ends. */
  topWidth: number;
  bottomWidth: number;
  rim: number;
}

/** The visible outline: straight flanks, the lower rim bulging down, the upper one up. */
export function uprightOutline({ cx, top, bottom, topWidth, bottomWidth, rim }: Upright): string {
  const [upper, lower] = [round(topWidth), round(bottomWidth)];
  return (
    `M${at([cx - topWidth, top])}A${upper} ${round(topWidth * rim)} 0 0 1 ${at([cx + topWidth, top])}` +
    `L${at([cx + bottomWidth, bottom])}A${lower} ${round(bottomWidth * rim)} 0 0 1 ${at([cx - bottomWidth, bottom])}Z`
  );
}

/** A band around the body between two heights, both edges curved the way a rim is. */
export function bandOutline(body: Upright, from: number, to: number): string {
  const half = (y: number) => {
    const share = (y - body.top) / (body.bottom - body.top);
    return body.topWidth + (body.bottomWidth - body.topWidth) * share;
  };
  const [a, b] = [half(from), half(to)];
  return (
    `M${at([body.cx - a, from])}A${round(a)} ${round(a * body.rim)} 0 0 0 ${at([body.cx + a, from])}` +
    `L${at([body.cx + b, to])}A${round(b)} ${round(b * body.rim)} 0 0 1 ${at([body.cx - b, to])}Z`
  );
}

/** Light from the left: the stops across a standing round body. */
export function standingShade(color: string, gloss = 0.3): Stop[] {
  return [
    [0, darken(color, 0.34)],
    [0.12, darken(color, 0.1)],
    [0.27, lighten(color, gloss)],
    [0.4, lighten(color, gloss * 0.3)],
    [0.62, darken(color, 0.08)],
    [0.86, darken(color, 0.36)],
    [0.96, darken(color, 0.44)],
    [1, darken(color, 0.34)],
  ];
}

export function paintUpright(sheet: Canvas, body: Upright, color: string, gloss = 0.3): string {
  return path(uprightOutline(body), { fill: sheet.gradient(standingShade(color, gloss), [0, 0], [1, 0]) });
}

export function paintBand(sheet: Canvas, body: Upright, from: number, to: number, color: string, gloss = 0.25): string {
  return path(bandOutline(body, from, to), { fill: sheet.gradient(standingShade(color, gloss), [0, 0], [1, 0]) });
}
