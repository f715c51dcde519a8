import type { LocalPage, Site } from './load-site.ts';

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
