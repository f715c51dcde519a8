import type { ListedEntry } from '#model/entries.ts';

/** What an overlay says about what comes after a product. */
interface Succeeded {
  successor?: string | undefined;
}

/** The successor that is written down for a product: in the language, or else for all languages. */
export function successorOf(
  language: string,
  gtin: string,
  overlay: (id: string) => Succeeded | undefined,
): string | undefined {
  return overlay(`${language}/${gtin}`)?.successor ?? overlay(gtin)?.successor;
}

/** GTINs that follow a product, the next one first. A chain that runs in a circle ends with the GTIN that closes it. */
export function successorChain(gtin: string, next: (gtin: string) => string | undefined): string[] {
  const chain = [gtin];
  for (let following = next(gtin); following !== undefined; following = next(following)) {
    const closed = chain.includes(following);
    chain.push(following);
    if (closed) break;
  }
  return chain.slice(1);
}

/**
 * The product to take instead: the first of the chain that is still offered. For an archived product without any such
 * the last of the chain, whose page at least has its documents.
 */
export function chooseSuccessor(
  product: Pick<ListedEntry, 'gtin' | 'archived'>,
  chain: readonly ListedEntry[],
): ListedEntry | undefined {
  const others = chain.filter(({ gtin }) => gtin !== product.gtin);
  return others.find(({ archived }) => !archived) ?? (product.archived ? others.at(-1) : undefined);
}
