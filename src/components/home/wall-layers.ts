/** Plan of a timber frame wall, from outside to inside. Thicknesses in mm; to scale across, not along. */
export const WALL_LAYERS = [
  { name: 'cladding', mm: 24 },
  { name: 'cavity', mm: 40 },
  { name: 'board', mm: 60 },
  { name: 'frame', mm: 160 },
  { name: 'service', mm: 40 },
  { name: 'lining', mm: 15 },
] as const;

export type WallLayer = (typeof WALL_LAYERS)[number]['name'];

const PX_PER_MM = 1.6;
export const WALL_LEFT = 16;
export const WALL_TOP = 76;
export const WALL_BOTTOM = 440;

/** Start and end of a layer, in px of the illustration. */
export function layerSpan(name: WallLayer): { from: number; to: number } {
  let from = WALL_LEFT;
  for (const layer of WALL_LAYERS) {
    const to = from + layer.mm * PX_PER_MM;
    if (layer.name === name) return { from, to };
    from = to;
  }
  return { from, to: from };
}

export function layerEdges(): number[] {
  return [WALL_LEFT, ...WALL_LAYERS.map(({ name }) => layerSpan(name).to)];
}

/** Returns the path of the insulation symbol, a wavy line. */
export function insulationPath({ from, to }: { from: number; to: number }, top: number, bottom: number): string {
  const [inset, step] = [10, 13];
  const turns = Math.floor((bottom - top) / step);
  const points = Array.from({ length: turns }, (_, i) => {
    const [x, bend] = i % 2 === 0 ? [to - inset, to + inset] : [from + inset, from - inset];
    const y = top + (i + 0.5) * step;
    return `L${x} ${y - 3}Q${bend - (i % 2 === 0 ? 12 : -12)} ${y} ${x} ${y + 3}`;
  });
  return `M${from + inset} ${top + 2}${points.join('')}`;
}
