import { toBcp47 } from '#contracts/product/index.ts';
import type { LanguageChoice } from '../languages/label-languages.ts';
import { absoluteUrl } from './absolute-url.ts';

export interface Alternate {
  hreflang: string;
  href: string;
}

/**
 * `hreflang` links of a page: itself and its real translations, absolute, and an `x-default`: the page that lets one
 * choose, or else that in the main language, or the first. None for a page that stands alone or is no translation.
 */
export function alternates(
  choices: readonly LanguageChoice[],
  { mainLanguage, site, chooser }: { mainLanguage: string; site: URL; chooser?: string | undefined },
): Alternate[] {
  const real = choices.filter(({ alternate }) => alternate);
  const standsAmong = chooser !== undefined || real.some(({ current }) => current);
  if (!standsAmong || real.length < 2) return [];
  const href = (path: string) => absoluteUrl(path, site);
  const fallback = chooser ?? real.find(({ code }) => code === mainLanguage)?.path ?? real[0]?.path ?? '';
  return [
    ...real.map(({ code, path }) => ({ hreflang: toBcp47(code), href: href(path) })),
    { hreflang: 'x-default', href: href(fallback) },
  ];
}
