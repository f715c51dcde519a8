import type { PageEntry } from '#model/entries.ts';
import type { Site } from './load-site.ts';

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
