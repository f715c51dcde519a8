import type { ListedEntry } from '#model/entries.ts';
import type { Site } from './load-site.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { familyPath } from '../addresses/paths.ts';
import type { FamilyShelf, Shelf } from './stock-shelves.ts';

/** One page of the list of a family. */
export interface FamilyPage extends FamilyShelf {
  /** From 1. */
  number: number;
  total: number;
}

export const PRODUCTS_PER_PAGE = 48;

export function familyPages({ family, shelf }: FamilyShelf): FamilyPage[] {
  const total = pagesOf(shelf);
  return Array.from({ length: total }, (_, i) => ({ family, shelf, number: i + 1, total }));
}

/** A page of a family's list, and what stands on it; undefined when there is no such page. */
export function familyPage(
  site: Pick<Site, 'shelves'>,
  { language, id, number }: { language: string; id: string; number: number },
): (FamilyPage & { items: readonly ListedEntry[] }) | undefined {
  const shelf = findShelf(site, language, id);
  if (!shelf?.family || number > pagesOf(shelf)) return undefined;
  return { family: shelf.family, shelf, number, total: pagesOf(shelf), items: itemsOf({ shelf, number }) };
}

/** What stands on a page. */
export function itemsOf({ shelf, number }: Pick<FamilyPage, 'shelf' | 'number'>): readonly ListedEntry[] {
  return shelf.products.slice((number - 1) * PRODUCTS_PER_PAGE, number * PRODUCTS_PER_PAGE);
}

/** Language -> path of the same page of the family, as far as it is as long in that language. */
export function familyPagePaths(
  site: Pick<Site, 'shelves' | 'languages'>,
  family: string,
  number: number,
): Record<string, string> {
  const codes = site.languages.map(({ code }) => code);
  const long = codes.filter((code) => pagesOf(findShelf(site, code, family)) >= number);
  return Object.fromEntries(long.map((code) => [code, numberedPath(familyPath(code, family), number)]));
}

export function findShelf(site: Pick<Site, 'shelves'>, language: string, id: string): Shelf | undefined {
  return site.shelves(language).find(({ family }) => family?.id === id);
}

function pagesOf(shelf: Shelf | undefined): number {
  return Math.ceil((shelf?.count ?? 0) / PRODUCTS_PER_PAGE);
}
