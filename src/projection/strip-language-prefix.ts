import type { LanguageRule } from './find-language.ts';

/** The slug without the prefix that stands for its language; a slug that is nothing but the prefix stays. */
export function stripLanguagePrefix(slug: string, language: string, rules: readonly LanguageRule[]): string {
  const prefixes = rules.flatMap((rule) => (rule.by === 'slug-prefix' ? Object.entries(rule.prefixes) : []));
  const prefix = prefixes.find(([start, stands]) => stands === language && slug.startsWith(start))?.[0];
  return prefix === undefined ? slug : slug.slice(prefix.length) || slug;
}
