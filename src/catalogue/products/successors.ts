import type { ProductListEntry } from '#model/entries.ts';

/** Successor in an overlay. */
interface SuccessorOverlay {
  successor?: string | undefined;
}

/** Returns the successor of a product from the overlay for the language, else from that for all languages. */
export function findSuccessor(
  language: string,
  gtin: string,
  overlay: (id: string) => SuccessorOverlay | undefined,
): string | undefined {
  return overlay(`${language}/${gtin}`)?.successor ?? overlay(gtin)?.successor;
}

/**
 * Returns the GTINs of a product's successors, the next one first. A circular chain ends with the GTIN that closes it.
 */
export function successorChain(gtin: string, next: (gtin: string) => string | undefined): string[] {
  const chain = [gtin];
  for (let current = next(gtin); current !== undefined; current = next(current)) {
    const closed = chain.includes(current);
    chain.push(current);
    if (closed) break;
  }
  return chain.slice(1);
}

/**
 * Returns the product that replaces another: the first current one in the chain. For an archived product without one,
 * the last in the chain, whose page still has documents.
 */
export function chooseSuccessor(
  product: Pick<ProductListEntry, 'gtin' | 'archived'>,
  chain: readonly ProductListEntry[],
): ProductListEntry | undefined {
  const successors = chain.filter(({ gtin }) => gtin !== product.gtin);
  return successors.find(({ archived }) => !archived) ?? (product.archived ? successors.at(-1) : undefined);
}
