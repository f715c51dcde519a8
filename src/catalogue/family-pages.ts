import type { Site } from './load-site.ts';
import { numberedPath } from './numbered-path.ts';
import { pageList } from './page-list.ts';
import { familyPath } from './paths.ts';

const PRODUCTS_PER_PAGE = 48;

/** The pages of all families in a language. */
export function familyPages(site: Pick<Site, 'shelves'>, language: string) {
  return site
    .shelves(language)
    .flatMap(({ family, products }) =>
      family ? pageList(products, PRODUCTS_PER_PAGE).map((page) => ({ family, products, page })) : [],
    );
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
