import type { Site } from './load-site.ts';

/** How large the range is, counted, not claimed. */
export function rangeNumbers(site: Pick<Site, 'count' | 'shelves' | 'languages'>, language: string) {
  const families = site.shelves(language).filter(({ family }) => family).length;
  return { ...site.count(language), families, languages: site.languages.length };
}
