import { toBcp47 } from '#contracts/product/index.ts';
import type { NormEntry } from '#model/entries.ts';
import { baseLanguage } from '#contracts/base-language.ts';
import type { Site } from '../site/site.ts';
import { localized } from '#contracts/localized.ts';

export interface NormText extends Readonly<NormEntry['texts'][string]> {
  kind: NormEntry['kind'];
  /** Of the text, BCP 47, where it isn't that of the page. */
  lang: string | undefined;
}

/** What is written of a norm, in the language of the page if it is there; undefined when nothing is. */
export function normText(
  site: Pick<Site, 'normEntry' | 'mainLanguage'>,
  norm: string,
  language: string,
): NormText | undefined {
  const entry = site.normEntry(norm);
  const text = entry && localized(entry.texts, language, site.mainLanguage);
  if (!text) return undefined;
  const isOwn = entry.texts[language] === text || entry.texts[baseLanguage(language)] === text;
  return { ...text, kind: entry.kind, lang: isOwn ? undefined : toBcp47(site.mainLanguage) };
}
