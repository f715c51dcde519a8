import type { Site } from '../site/site.ts';

/**
 * Returns the paths of the translations of a page, by language.
 * @param exists Returns a truthy value for languages that have the page.
 * @param pathOf Returns the path of the page in a language.
 */
export function pathsByLanguage(
  { languages }: Pick<Site, 'languages'>,
  exists: (language: string) => unknown,
  pathOf: (language: string) => string,
): Record<string, string> {
  const present = languages.map(({ code }) => code).filter((code) => exists(code));
  return Object.fromEntries(present.map((code) => [code, pathOf(code)]));
}
