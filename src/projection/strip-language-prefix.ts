import type { LanguageRule } from './find-language.ts';

/** Removes the language prefix from a slug. A slug that consists of the prefix alone stays. */
export function stripLanguagePrefix(slug: string, language: string, rules: readonly LanguageRule[]): string {
  const prefixes = rules.flatMap((rule) => (rule.by === 'slug-prefix' ? Object.entries(rule.prefixes) : []));
  const prefix = prefixes.find(([start, prefixLanguage]) => prefixLanguage === language && slug.startsWith(start))?.[0];
  return prefix === undefined ? slug : slug.slice(prefix.length) || slug;
}
