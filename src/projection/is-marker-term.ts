import type { TermRecord } from '#contracts/synced/index.ts';
import type { Options } from '#config/index.ts';

/** Terms that say nothing but the language or which articles belong together, and so are not shown. */
export function isMarkerTerm(term: TermRecord, { language, translations }: Options['publishing']): boolean {
  const { tagPrefix } = translations;
  if (term.taxonomy === 'tag' && tagPrefix !== undefined && term.slug.startsWith(tagPrefix)) return true;
  return language.some((rule) => rule.by === term.taxonomy && Object.hasOwn(rule.terms, term.slug));
}
