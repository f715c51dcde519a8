import type { Options } from '#config/index.ts';

export type LanguageRule = Options['publishing']['language'][number];

/** Properties that language rules examine. Pages have no terms. */
export interface LanguageEvidence {
  slug: string;
  /** Slugs of the categories and their ancestors. */
  categories: readonly string[];
  tags: readonly string[];
}

/** Returns the language of the first matching rule, or undefined. */
export function findLanguage(evidence: LanguageEvidence, rules: readonly LanguageRule[]): string | undefined {
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
