import { toBcp47 } from '#contracts/product/index.ts';
import type { NormEntry } from '#catalogue/entries/entries.ts';
import { baseLanguage, pickLocalized } from '#contracts/localized.ts';
import type { Site } from '../site/load-site.ts';

export interface NormText extends Readonly<NormEntry['texts'][string]> {
  kind: NormEntry['kind'];
  /** BCP 47 tag of the text if it differs from the page's language. */
  lang: string | undefined;
}

/** Returns the editorial text of a norm, in the language of the page if available. Undefined if there is none. */
export function normText(
  site: Pick<Site, 'normEntry' | 'mainLanguage'>,
  norm: string,
  language: string,
): NormText | undefined {
  const entry = site.normEntry(norm);
  const text = entry && pickLocalized(entry.texts, language, site.mainLanguage);
  if (!text) return undefined;
  const isTranslated = entry.texts[language] === text || entry.texts[baseLanguage(language)] === text;
  return { ...text, kind: entry.kind, lang: isTranslated ? undefined : toBcp47(site.mainLanguage) };
}
