import { canvas, type Canvas } from '../drawing/canvas.ts';
import { line, rect } from '../drawing/svg.ts';

export const MOTIF_WIDTH = 1600;
export const MOTIF_HEIGHT = 1067;

/** The colours of all motifs: building materials as section drawings show them, muted. */
export const INK = '#22303a';
export const TONES = {
  paper: '#f3f0e9',
  paperShade: '#e6e1d6',
  softInk: '#66737b',
  wood: '#dcb98a',
  woodShade: '#b98f5b',
  fibreBoard: '#b88a58',
  insulation: '#f0dcae',
  membrane: '#2f7196',
  membraneLight: '#b5cfdb',
  accent: '#d9572b',
  concrete: '#cdcbc4',
  plaster: '#e9e5db',
  earth: '#b3a189',
  steel: '#9fabb2',
  dark: '#3a464e',
  sky: '#dfe8ea',
  snow: '#fbfcfc',
} as const;

/** Width of the strokes: outlines of what is cut, outlines of what is seen, and fine hatching. */
export const STROKE = { cut: 4, seen: 2.2, fine: 1.3 } as const;

export const outline = { stroke: INK, 'stroke-width': STROKE.seen, 'stroke-linejoin': 'round' } as const;
export const cutLine = { stroke: INK, 'stroke-width': STROKE.cut, 'stroke-linejoin': 'round' } as const;

/** Drawing paper with a faint grid of squares. */
export function plate(): Canvas {
  const sheet = canvas(MOTIF_WIDTH, MOTIF_HEIGHT);
  const square = 53.35;
  const fine = { stroke: INK, 'stroke-width': 1, 'stroke-opacity': 0.07 };
  sheet.add(rect(0, 0, MOTIF_WIDTH, MOTIF_HEIGHT, { fill: TONES.paper }));
  for (let x = square; x < MOTIF_WIDTH; x += square) sheet.add(line([x, 0], [x, MOTIF_HEIGHT], fine));
  for (let y = square; y < MOTIF_HEIGHT; y += square) sheet.add(line([0, y], [MOTIF_WIDTH, y], fine));
  return sheet;
}
