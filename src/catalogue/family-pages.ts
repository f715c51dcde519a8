import type { ListedEntry } from '../loaders/entries.ts';
import type { Site } from './load-site.ts';
import { numberedPath } from './numbered-path.ts';
import { pageList, type PageOfList } from './page-list.ts';
import { familyPath } from './paths.ts';
import type { Family, Shelf } from './stock-shelves.ts';

export interface FamilyPage {
  family: Family;
  /** All of the family. */
  products: readonly ListedEntry[];
  page: PageOfList<ListedEntry>;
}

const PRODUCTS_PER_PAGE = 48;

const cut = new WeakMap<readonly Shelf[], FamilyPage[]>();

/** The pages of all families in a language. Cut once: every list page asks for all of them. */
export function familyPages(site: Pick<Site, 'shelves'>, language: string): readonly FamilyPage[] {
  const shelves = site.shelves(language);
  const pages =
    cut.get(shelves) ??
    shelves.flatMap(({ family, products }) =>
      family ? pageList(products, PRODUCTS_PER_PAGE).map((page) => ({ family, products, page })) : [],
    );
  cut.set(shelves, pages);
  return pages;
}

/** Language -> path of the same page of the family, as far as it is as long in that language. */
export function familyPagePaths(
  site: Pick<Site, 'shelves' | 'languages'>,
  family: string,
  number: number,
): Record<string, string> {
  return Object.fromEntries(
    site.languages
      .filter(({ code }) =>
        familyPages(site, code).some((other) => other.family.id === family && other.page.number === number),
      )
      .map(({ code }) => [code, numberedPath(familyPath(code, family), number)]),
  );
}
