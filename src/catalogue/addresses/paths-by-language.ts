import type { Site } from '../site/load-site.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { LanguageChoice } from '../languages/label-languages.ts';
import { absoluteUrl } from './site-paths.ts';

/**
 * Returns the paths of the translations of a page, by language.
 * @param exists Returns a truthy value for languages that have the page.
 * @param pathOf Returns the path of the page in a language.
 */
export function pathsByLanguage(
  { languages }: Pick<Site, 'languages'>,
  exists: (language: string) => unknown,
  pathOf: (language: string) => string,
): Record<string, string> {
  const present = languages.map(({ code }) => code).filter((code) => exists(code));
  return Object.fromEntries(present.map((code) => [code, pathOf(code)]));
}

export interface Alternate {
  hreflang: string;
  href: string;
}

/**
 * Returns the `hreflang` links of a page and its translations, with absolute URLs. `x-default` is the language chooser,
 * else the page in the main language, else the first. The list is empty for a page without translations.
 */
export function alternates(
  choices: readonly LanguageChoice[],
  { mainLanguage, site, chooser }: { mainLanguage: string; site: URL; chooser?: string | undefined },
): Alternate[] {
  const translations = choices.filter(({ alternate }) => alternate);
  const isIncluded = chooser !== undefined || translations.some(({ current }) => current);
  if (!isIncluded || translations.length < 2) return [];
  const href = (path: string) => absoluteUrl(path, site);
  const fallback =
    chooser ?? translations.find(({ code }) => code === mainLanguage)?.path ?? translations[0]?.path ?? '';
  return [
    ...translations.map(({ code, path }) => ({ hreflang: toBcp47(code), href: href(path) })),
    { hreflang: 'x-default', href: href(fallback) },
  ];
}

/** Returns the paths of the local page with this slug, by language. */
export function localPagePaths(site: Pick<Site, 'localPages' | 'languages'>, slug: string): Record<string, string> {
  return Object.fromEntries(
    site.languages.flatMap(({ code }) =>
      site
        .localPages(code)
        .filter((page) => page.slug === slug)
        .map(({ path }) => [code, path]),
    ),
  );
}
