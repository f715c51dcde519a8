import type { DimensionField } from '#contracts/product/index.ts';

/** Where a characteristic comes from: a field of the record, or an attribute that was declared. */
export type CharacteristicSource =
  'materials' | 'availability' | DimensionField | 'folded' | 'documents' | 'fire' | 'attribute';

/** A property that distinguishes the products of a family, with the value of each. */
export interface Characteristic {
  /** The same in every language; a part of addresses. */
  id: string;
  source: CharacteristicSource;
  /** What an attribute is called, and the norm, both as declared. */
  name?: string | undefined;
  norm?: string | undefined;
  /** Of an attribute, the same in every language: `catalogue/products/join-keys.ts`. */
  key?: string | undefined;
  /** `choice`: values fall into classes. `number`: they have an order. `text`: they can only be read. */
  kind: 'choice' | 'number' | 'text';
  /** Of numbers. */
  unit: string;
  values: CharacteristicValue[];
  /** For each product, in the order of the product group, the places of its values; none where nothing is declared. */
  of: number[][];
}

export interface CharacteristicValue {
  /** What is chosen by, the same in every language; values of one class share it. Undefined for mere text. */
  id?: string | undefined;
  /** What it says: a declared text, a decimal of a dimension, or the word of a field's closed list. */
  text: string;
  /** The class that a declared text falls into. */
  className?: string | undefined;
  /** From the lowest to the highest number that it covers, in the unit of the characteristic. */
  low?: number | undefined;
  high?: number | undefined;
  /** Language of a text that isn't in the one of the page. */
  language?: string | undefined;
}
