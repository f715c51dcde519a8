import type { Site } from './load-site.ts';

/** How large the range is, counted, not claimed. */
export function rangeNumbers(site: Pick<Site, 'count' | 'productGroups' | 'languages'>, language: string) {
  const families = site.productGroups(language).filter(({ family }) => family).length;
  return { ...site.count(language), families, languages: site.languages.length };
}
