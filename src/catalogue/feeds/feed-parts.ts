import { hashParts, type HashPart } from '#files/hash-parts.ts';

/** A change of one product rewrites its part. */
const PRODUCTS_PER_PART = 500;

export interface FeedPart extends HashPart {
  /** `products.ndjson` while there is one part, else `products-<number>.ndjson`. */
  fileName: (base: string, extension: string) => string;
}

/** The parts that so many products come in; a product stays in its part as long as there are as many. */
export function feedParts(products: number, perPart = PRODUCTS_PER_PART): FeedPart[] {
  return hashParts(products, perPart).map((part, i, { length }) => ({
    ...part,
    fileName: (base, extension) => `${base}${length === 1 ? '' : `-${i}`}.${extension}`,
  }));
}
