import type { PageEntry } from '#model/entries.ts';
import { isReservedPath, WELCOME_SLUG } from '../addresses/paths.ts';
import type { Site, LocalPage } from './site.ts';

/**
 * Returns the slug paths of all pages in a language. A local page takes precedence over an imported one with the same
 * path.
 */
export function pageSlugPaths(site: Pick<Site, 'pages' | 'localPages'>, language: string): string[] {
  const local = site
    .localPages(language)
    .map(({ slug }) => slug)
    .filter((slug) => slug !== WELCOME_SLUG && !isReservedPath(slug));
  const published = site.pages(language).map(({ slugPath }) => slugPath);
  return [...new Set([...local, ...published])];
}

/**
 * Returns the local pages in the footer. Pages missing in a language fall back to the main language, because an imprint
 * must be available everywhere.
 */
export function footerPages(site: Pick<Site, 'localPages' | 'mainLanguage'>, language: string): LocalPage[] {
  const listed = (code: string) => site.localPages(code).filter(({ entry }) => entry.data.order !== undefined);
  const localized = listed(language);
  const slugs = new Set(localized.map(({ slug }) => slug));
  const fallbacks = listed(site.mainLanguage).filter(({ slug }) => !slugs.has(slug));
  return [...localized, ...fallbacks].toSorted((a, b) => (a.entry.data.order ?? 0) - (b.entry.data.order ?? 0));
}

export interface ListPage<T> {
  items: T[];
  /** One-based. */
  number: number;
  total: number;
}

/** Splits a list into pages. An empty list has one empty page. */
export function paginate<T>(items: readonly T[], size: number): ListPage<T>[] {
  const total = Math.max(1, Math.ceil(items.length / size));
  return Array.from({ length: total }, (_, i) => ({
    items: items.slice(i * size, (i + 1) * size),
    number: i + 1,
    total,
  }));
}

export type ImportedPage = PageEntry;

/**
 * Returns the ancestors of a page from the top, and its branch: the top page and its direct children. A page without
 * children has no branch.
 */
export function pageBranch(
  site: Pick<Site, 'pages' | 'page'>,
  page: ImportedPage,
): { above: PageEntry[]; around: PageEntry[] } {
  const above = page.ancestors.flatMap((id) => site.page(id) ?? []);
  const top = above[0] ?? page;
  const below = site.pages(page.language).filter(({ ancestors }) => ancestors[0] === idOf(top));
  return { above, around: below.length === 0 ? [] : [top, ...below] };
}

function idOf({ language, slugPath }: PageEntry): string {
  return `${language}/${slugPath}`;
}
