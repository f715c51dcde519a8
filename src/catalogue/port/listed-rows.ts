import type { FacetSummary } from '../facets/summarise-facets.ts';
import type { Highlight } from '../products/key-values.ts';
import type { ImageAsset } from '#model/entries.ts';

/** A product group in a language, without its products. */
export interface ListedGroup {
  /** ID of the family. Empty for products without a family. */
  productGroup: string;
  count: number;
  /** Properties shown in lists, in this order. Those named by the assortment come first. */
  highlights: readonly Highlight[];
  /** First image of a product in the group. */
  image: ImageAsset | undefined;
  /** GTIN of the product that represents the group. */
  firstGtin: string;
  /** True if the material need can be calculated from the size of at least one product. */
  isMeasured: boolean;
  /** Digest of the documents shown in tables. */
  documentsDigest: string;
  /** Facets of the group. Empty for products without a family. */
  facets: FacetSummary[];
}

/** A discontinued product, with the digest of everything that pages show of it. */
export interface DiscontinuedProduct {
  gtin: string;
  digest: string;
}

/** A norm under which products of a group declare values. */
export interface ListedNorm {
  /** `en-1928`. */
  norm: string;
  productGroup: string;
  /** `EN 1928`. */
  name: string;
  /** Number of products. */
  count: number;
  /** Number of declared values, and number of those that `normInGroup` returns. */
  values: number;
  rows: number;
  /** Digest of the result of `normInGroup`. */
  digest: string;
}
