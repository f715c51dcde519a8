import type { FacetSummary } from '../facets/summarise-facets.ts';
import type { Highlight } from '../products/key-values.ts';
import type { ImageAsset } from '#model/entries.ts';

/** A product group in a language, without its products. */
export interface ListedGroup {
  /** Id of the family; empty for what belongs to none. */
  productGroup: string;
  count: number;
  /** What its lists show of a product, in this order: named by the assortment, then chosen. */
  highlights: readonly Highlight[];
  /** The first picture of a product on it. */
  image: ImageAsset | undefined;
  /** The product that stands for all. */
  firstGtin: string;
  /** Whether the size of one of its products is enough to calculate how much of it a job takes. */
  isMeasured: boolean;
  /** Changes with what tables show of its documents. */
  documentsDigest: string;
  /** What one can choose by; nothing of what belongs to no family. */
  facets: FacetSummary[];
}

/** A product that is no longer offered, and what names all that pages can show of it. */
export interface DiscontinuedProduct {
  gtin: string;
  digest: string;
}

/** A norm that products of a product group declare something under. */
export interface ListedNorm {
  /** `en-1928`. */
  norm: string;
  productGroup: string;
  /** `EN 1928`. */
  name: string;
  /** How many products. */
  count: number;
  /** How many values they declare, and how many of them `normInGroup` has. */
  values: number;
  rows: number;
  /** Names what `normInGroup` gives. */
  digest: string;
}
