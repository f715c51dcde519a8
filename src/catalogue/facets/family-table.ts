import type { Characteristic } from './characteristic.ts';

/** A family as the filter and the comparison read it, in one language: `facets.json`. */
export interface FamilyTable {
  products: TableProduct[];
  columns: TableColumn[];
  /** Ids of the columns that lists show first; several of them are one property, of which a row shows one value. */
  highlights: string[][];
}

export interface TableProduct {
  gtin: string;
  name: string;
  path: string;
  item: string;
  size: string;
  /** Language of the name, when it isn't that of the page. */
  lang?: string | undefined;
}

export interface TableColumn extends Pick<Characteristic, 'id' | 'kind' | 'unit' | 'of'> {
  name: string;
  norm?: string | undefined;
  values: TableValue[];
}

export interface TableValue {
  /** What is chosen by; values of one class share it. */
  id?: string | undefined;
  /** As it is shown: declared values as declared. */
  text: string;
  lang?: string | undefined;
  /** By what it is put in order, and found: the lowest and the highest number that it covers. */
  low?: number | undefined;
  high?: number | undefined;
}
