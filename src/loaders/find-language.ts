import type { LoaderSource } from '#product-index/with-snapshot.ts';

/**
 * For files that lie in the folder of a language.
 * @returns Tells whether there is that language, and warns if not. One that is known and not built is meant to stay away.
 */
export function languageCheck({
  snapshot,
  languages,
  warn,
}: Pick<LoaderSource, 'snapshot' | 'languages' | 'warn'>): (file: string, language: string) => boolean {
  const known = new Set([...languages, ...snapshot.languages().map(({ code }) => code)]);
  return (file, language) => {
    if (known.has(language)) return true;
    warn(
      `${file}: "${language}" is no language of the site, and it isn't shown. Move it to ${languages.join('/, ')}/.`,
    );
    return false;
  };
}
