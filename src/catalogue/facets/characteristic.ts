import type { DimensionField } from '#contracts/product/index.ts';

/** Source of a characteristic: a field of the record, or a declared attribute. */
export type CharacteristicSource =
  'materials' | 'availability' | DimensionField | 'folded' | 'documents' | 'fire' | 'attribute';

/** A property that distinguishes the products of a family, with the values of each product. */
export interface Characteristic {
  /** Same in every language. Used in URLs. */
  id: string;
  source: CharacteristicSource;
  /** Name and norm of an attribute, as declared. */
  name?: string | undefined;
  norm?: string | undefined;
  /** Key of an attribute, the same in every language (see `catalogue/products/join-keys.ts`). */
  key?: string | undefined;
  /** `choice`: values belong to classes. `number`: values are ordered. `text`: values are only displayed. */
  kind: 'choice' | 'number' | 'text';
  /** Unit of numbers. Empty for other kinds. */
  unit: string;
  values: CharacteristicValue[];
  /** Indexes into `values` for each product of the group. Empty if the product declares none. */
  of: number[][];
}

export interface CharacteristicValue {
  /** ID of the option, the same in every language. Values of one class share it. Undefined for `text`. */
  id?: string | undefined;
  /** A declared text, a decimal dimension, or a term of a closed list. */
  text: string;
  /** Class of a declared text. */
  className?: string | undefined;
  /** Lowest and highest number covered, in the unit of the characteristic. */
  low?: number | undefined;
  high?: number | undefined;
  /** Language of the text if it differs from the page's language. */
  language?: string | undefined;
}
