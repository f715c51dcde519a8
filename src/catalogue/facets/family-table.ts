import type { Characteristic } from './characteristic.ts';

/** Table of a family for the filter and the comparison, in one language: `facets.json`. */
export interface FamilyTable {
  products: TableProduct[];
  columns: TableColumn[];
  /** Columns that lists show first, as groups of IDs. A group is one property, of which a row shows one value. */
  highlights: string[][];
}

export interface TableProduct {
  gtin: string;
  name: string;
  path: string;
  item: string;
  size: string;
  /** Language of the name if it differs from the page's language. */
  lang?: string | undefined;
}

export interface TableColumn extends Pick<Characteristic, 'id' | 'kind' | 'unit' | 'of'> {
  name: string;
  norm?: string | undefined;
  values: TableValue[];
}

export interface TableValue {
  /** ID of the option. Values of one class share it. */
  id?: string | undefined;
  /** Display text. Declared values are shown as declared. */
  text: string;
  lang?: string | undefined;
  /** Lowest and highest number covered, for sorting and filtering. */
  low?: number | undefined;
  high?: number | undefined;
}
