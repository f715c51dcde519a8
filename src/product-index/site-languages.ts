import type { Options } from '#config/index.ts';
import { languageName } from '#contracts/product/index.ts';
import type { LanguageRecord, SnapshotReader } from '#snapshot/index.ts';

/**
 * Returns the languages to build, in the interface's order: all in the snapshot, or those selected in the options.
 * If there is no product interface, returns those of the options, at least the main one.
 */
export function siteLanguages(
  snapshot: Pick<SnapshotReader, 'languages'>,
  { languages: chosen, mainLanguage }: Pick<Options, 'languages' | 'mainLanguage'>,
): LanguageRecord[] {
  const listed = snapshot.languages().map(({ code, name }) => ({ code, name }));
  if (listed.length > 0) return chosen === 'all' ? listed : listed.filter(({ code }) => chosen.includes(code));
  const codes = chosen === 'all' ? [mainLanguage] : chosen;
  return codes.map((code) => ({ code, name: languageName(code) }));
}

/** Returns the codes of the languages to build. */
export function languageCodes(
  snapshot: Pick<SnapshotReader, 'languages'>,
  options: Pick<Options, 'languages' | 'mainLanguage'>,
): string[] {
  return siteLanguages(snapshot, options).map(({ code }) => code);
}
