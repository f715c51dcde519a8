import type { PageEntry } from '#model/entries.ts';
import { isReservedPath, WELCOME_SLUG } from '../addresses/paths.ts';
import type { Site, LocalPage } from './site.ts';

/**
 * Slug paths of all pages in a language: those written in the project and those of the publishing site. Where both
 * have one, the project's stands.
 */
export function standingPages(site: Pick<Site, 'pages' | 'localPages'>, language: string): string[] {
  const local = site
    .localPages(language)
    .map(({ slug }) => slug)
    .filter((slug) => slug !== WELCOME_SLUG && !isReservedPath(slug));
  const published = site.pages(language).map(({ slugPath }) => slugPath);
  return [...new Set([...local, ...published])];
}

/**
 * Local pages that have a place in the footer. What is missing in a language is offered in the main language: an
 * imprint must be reachable from everywhere.
 */
export function footerPages(site: Pick<Site, 'localPages' | 'mainLanguage'>, language: string): LocalPage[] {
  const listed = (code: string) => site.localPages(code).filter(({ entry }) => entry.data.order !== undefined);
  const own = listed(language);
  const slugs = new Set(own.map(({ slug }) => slug));
  const borrowed = listed(site.mainLanguage).filter(({ slug }) => !slugs.has(slug));
  return [...own, ...borrowed].toSorted((a, b) => (a.entry.data.order ?? 0) - (b.entry.data.order ?? 0));
}

export interface PageOfList<T> {
  items: T[];
  /** From 1. */
  number: number;
  total: number;
}

/** Cuts a list into pages; an empty list has one, empty, page. */
export function pageList<T>(items: readonly T[], size: number): PageOfList<T>[] {
  const total = Math.max(1, Math.ceil(items.length / size));
  return Array.from({ length: total }, (_, i) => ({
    items: items.slice(i * size, (i + 1) * size),
    number: i + 1,
    total,
  }));
}

export type PublishedPage = PageEntry;

/**
 * The pages around a page: those above it, from the top, and the branch it stands in, which is the top page and
 * everything right below it. A page without any has no branch to show.
 */
export function pageFamily(
  site: Pick<Site, 'pages' | 'page'>,
  page: PublishedPage,
): { above: PageEntry[]; around: PageEntry[] } {
  const above = page.ancestors.flatMap((id) => site.page(id) ?? []);
  const top = above[0] ?? page;
  const below = site.pages(page.language).filter(({ ancestors }) => ancestors[0] === idOf(top));
  return { above, around: below.length === 0 ? [] : [top, ...below] };
}

function idOf({ language, slugPath }: PageEntry): string {
  return `${language}/${slugPath}`;
}
