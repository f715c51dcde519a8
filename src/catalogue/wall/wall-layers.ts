/** Parts of the illustration that products belong to, in the order of its numbers. */
export const WALL_PARTS = ['facade', 'board', 'insulation', 'airtight', 'tape'] as const;

export type WallPart = (typeof WALL_PARTS)[number];

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
    const to = Math.round((from + layer.mm * PX_PER_MM) * 10) / 10;
    if (layer.name === name) return { from, to };
    from = to;
  }
  return { from, to: from };
}

export function layerEdges(): number[] {
  return [WALL_LEFT, ...WALL_LAYERS.map(({ name }) => layerSpan(name).to)];
}

/** Height of a wave of the insulation symbol. */
export const WAVE = 26;

/** Returns the path of one wave of the insulation symbol, from the start of a layer of this thickness. */
export function insulationWave(thickness: number): string {
  const [near, far, bend] = [10, Math.round(thickness) - 10, 8];
  return `M${near} -3.5L${far} 3.5Q${far + bend} 6.5 ${far} 9.5L${near} 16.5Q${near - bend} 19.5 ${near} 22.5L${far} 29.5`;
}
