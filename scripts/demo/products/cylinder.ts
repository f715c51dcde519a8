import type { Canvas, Stop } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { at, ellipse, group, path, round } from '../drawing/svg.ts';

/**
 * A cylinder seen at an angle, in its own frame: the axis runs along x from the near end at 0 to the far end at
 * `length`. A round end appears as an ellipse, `foreshortening` times as wide as it is high.
 */
export interface Cylinder {
  radius: number;
  length: number;
  foreshortening: number;
}

/** Outline of the body: the straight flanks, the near end bulging to the left, the far end to the right. */
export function cylinderOutline({ radius, length, foreshortening }: Cylinder): string {
  const rx = round(radius * foreshortening);
  return (
    `M${at([0, -radius])}L${at([length, -radius])}A${rx} ${round(radius)} 0 0 1 ${at([length, radius])}` +
    `L${at([0, radius])}A${rx} ${round(radius)} 0 0 1 ${at([0, -radius])}Z`
  );
}

/** Light from above: the stops of a shaded, matt curved surface. */
export function roundShade(color: string, gloss = 0.25): Stop[] {
  return [
    [0, darken(color, 0.3)],
    [0.1, darken(color, 0.06)],
    [0.28, lighten(color, gloss)],
    [0.42, lighten(color, gloss * 0.35)],
    [0.7, darken(color, 0.22)],
    [0.92, darken(color, 0.48)],
    [1, darken(color, 0.4)],
  ];
}

export interface RollLook {
  /** Colour of the wound material. */
  color: string;
  /** Share of the radius that the core takes. */
  core: number;
  /** How many windings are hinted at on the face. */
  windings: number;
  /** @default '#b99a72' */
  coreColor?: string;
  /** Colour of the face where it differs from the flank. */
  faceColor?: string;
  gloss?: number;
}

/** A wound roll with its face towards us, in the frame of the cylinder. */
export function roll(sheet: Canvas, form: Cylinder, look: RollLook): string {
  const { radius, foreshortening } = form;
  const { color, core, windings, coreColor = '#b99a72', faceColor = color, gloss = 0.25 } = look;
  const rx = radius * foreshortening;
  const rings = Array.from({ length: windings }, (_, i) => {
    const share = core + ((1 - core) * (i + 0.5)) / windings;
    const strong = i % 3 === 0;
    return ellipse(0, 0, rx * share, radius * share, {
      fill: 'none',
      stroke: strong ? darken(faceColor, 0.4) : lighten(faceColor, 0.35),
      'stroke-width': strong ? 1.6 : 1.1,
      'stroke-opacity': strong ? 0.4 : 0.5,
    });
  });
  const face = sheet.gradient(
    [
      [0, lighten(faceColor, 0.3)],
      [0.5, faceColor],
      [1, darken(faceColor, 0.22)],
    ],
    [0.1, 0],
    [0.8, 1],
  );
  const inside = core * 0.86;
  return group([
    path(cylinderOutline(form), { fill: sheet.gradient(roundShade(color, gloss)) }),
    ellipse(0, 0, rx, radius, {
      fill: face,
      stroke: lighten(faceColor, 0.45),
      'stroke-width': 1.4,
      'stroke-opacity': 0.7,
    }),
    ...rings,
    ellipse(0, 0, rx * core, radius * core, { fill: coreColor, stroke: darken(coreColor, 0.35), 'stroke-width': 1.5 }),
    hollow(sheet, rx * inside, radius * inside, coreColor),
  ]);
}

/** The inside of the core, dark at the top where no light falls in. */
function hollow(sheet: Canvas, rx: number, ry: number, color: string): string {
  const shade = sheet.gradient(
    [
      [0, darken(color, 0.78)],
      [0.55, darken(color, 0.6)],
      [1, darken(color, 0.3)],
    ],
    [0.2, 0],
    [0.7, 1],
  );
  return ellipse(0, 0, rx, ry, { fill: shade });
}
