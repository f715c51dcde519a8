import type { Options } from '../config/index.ts';
import type { TermRecord } from '../snapshot/index.ts';

type LanguageRule = Options['publishing']['language'][number];

/** What the rules look at. Pages have no terms. */
export interface LanguageEvidence {
  slug: string;
  /** Slugs of the categories and of those above them. */
  categories: readonly string[];
  tags: readonly string[];
}

/** The language that the first matching rule names, or undefined. */
export function languageOfWriting(evidence: LanguageEvidence, rules: readonly LanguageRule[]): string | undefined {
  for (const rule of rules) {
    const language = applyRule(rule, evidence);
    if (language !== undefined) return language;
  }
  return undefined;
}

function applyRule(rule: LanguageRule, { slug, categories, tags }: LanguageEvidence): string | undefined {
  if (rule.by === 'slug-prefix') return Object.entries(rule.prefixes).find(([prefix]) => slug.startsWith(prefix))?.[1];
  const slugs = rule.by === 'category' ? categories : tags;
  return Object.entries(rule.terms).find(([term]) => slugs.includes(term))?.[1];
}

/** The slug without the prefix that stands for its language; a slug that is nothing but the prefix stays. */
export function withoutLanguagePrefix(slug: string, language: string, rules: readonly LanguageRule[]): string {
  const prefixes = rules.flatMap((rule) => (rule.by === 'slug-prefix' ? Object.entries(rule.prefixes) : []));
  const prefix = prefixes.find(([start, stands]) => stands === language && slug.startsWith(start))?.[0];
  return prefix === undefined ? slug : slug.slice(prefix.length) || slug;
}

/** Terms that say nothing but the language or which writings belong together, and so are not shown. */
export function isMarkerTerm(term: TermRecord, { language, translations }: Options['publishing']): boolean {
  const { tagPrefix } = translations;
  if (term.taxonomy === 'tag' && tagPrefix !== undefined && term.slug.startsWith(tagPrefix)) return true;
  return language.some((rule) => rule.by === term.taxonomy && Object.hasOwn(rule.terms, term.slug));
}
