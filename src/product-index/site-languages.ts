import type { Options } from '#config/index.ts';
import { languageName } from '#contracts/product/index.ts';
import type { LanguageRecord, SnapshotReader } from '#snapshot/index.ts';

/**
 * The languages that are built, in the interface's order: all that the snapshot lists, or those of them that the
 * options name. A site without a product interface has those that its options name, at least the main one.
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

/** Codes of the languages that are built. */
export function languageCodes(
  snapshot: Pick<SnapshotReader, 'languages'>,
  options: Pick<Options, 'languages' | 'mainLanguage'>,
): string[] {
  return siteLanguages(snapshot, options).map(({ code }) => code);
}
