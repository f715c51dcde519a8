import type { Site } from '../site/site.ts';

/**
 * Language -> path of the same page, in the languages in which there is one.
 * @param isThere Whether there is, in a language.
 * @param pathOf Its path there.
 */
export function pathsByLanguage(
  { languages }: Pick<Site, 'languages'>,
  isThere: (language: string) => unknown,
  pathOf: (language: string) => string,
): Record<string, string> {
  const present = languages.map(({ code }) => code).filter((code) => isThere(code));
  return Object.fromEntries(present.map((code) => [code, pathOf(code)]));
}
