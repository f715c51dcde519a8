import type { DemoProduct } from '#origin/admin/seed/demo-content.ts';

/** How a product is packed and therefore drawn. */
export type Shape =
  | 'membrane'
  | 'tape'
  | 'compression-tape'
  | 'cartridge'
  | 'foil-sausage'
  | 'can'
  | 'bottle'
  | 'bucket'
  | 'boards'
  | 'grommet';

export interface ProductLook {
  shape: Shape;
  /** First word of the name: DIFFRANA, KLEVENTO, … */
  line: string;
  /** Colour of the line. */
  color: string;
  /** What the name says after the line, as far as all languages agree; it can stand on a label. */
  variant: string;
  itemNumber: string;
}

export const LINE_COLORS: Readonly<Record<string, string>> = {
  DIFFRANA: '#1f5673',
  KLEVENTO: '#b5412b',
  FUGENTO: '#3f4a54',
  HAFTARO: '#c07a14',
  GRUNDELO: '#54773a',
  SPRIZANO: '#2b62a3',
  WARMOLA: '#8a5a32',
  PASSANO: '#65467a',
};

const SHAPES_BY_LINE: Readonly<Record<string, Shape>> = {
  DIFFRANA: 'membrane',
  KLEVENTO: 'tape',
  FUGENTO: 'compression-tape',
  GRUNDELO: 'bottle',
  SPRIZANO: 'bucket',
  WARMOLA: 'boards',
  PASSANO: 'grommet',
};

/** HAFTARO is sold in three kinds of container; the trade unit tells which, in any of the three languages. */
const SHAPES_BY_UNIT: Readonly<Record<string, Shape>> = {
  Schlauchbeutel: 'foil-sausage',
  'foil pack': 'foil-sausage',
  'recharge souple': 'foil-sausage',
  Dose: 'can',
  can: 'can',
  aérosol: 'can',
};

/** `versions` are the records of one product in all its languages; at least one. */
export function productLook(versions: readonly DemoProduct[]): ProductLook {
  const [first] = versions;
  if (!first) throw new Error('A product without a record in any language cannot be drawn');
  const [line = '', ...words] = first.name.split(' ');
  const shared = words.filter((word) => versions.every(({ name }) => name.split(' ').includes(word)));
  return {
    shape: SHAPES_BY_LINE[line] ?? SHAPES_BY_UNIT[first.trade_unit] ?? 'cartridge',
    line,
    color: LINE_COLORS[line] ?? '#3f4a54',
    variant: shared.join(' '),
    itemNumber: first.item_number,
  };
}
