import path from 'node:path';
import type { LoaderSource } from '#product-index/with-snapshot.ts';

/**
 * Creates a check for files in a language folder. It returns false, with one warning per folder, if the site has no
 * such language. Known languages that aren't built pass.
 */
export function createLanguageCheck({
  snapshot,
  languages,
  warn,
}: Pick<LoaderSource, 'snapshot' | 'languages' | 'warn'>): (file: string, language: string) => boolean {
  const known = new Set([...languages, ...snapshot.languages().map(({ code }) => code)]);
  const reported = new Set<string>();
  return (file, language) => {
    if (known.has(language)) return true;
    if (!reported.has(language)) {
      reported.add(language);
      const folders = languages.map((code) => `${code}/`).join(', ');
      warn(
        `${path.posix.dirname(file)}/: "${language}" isn't a language of the site, so its files aren't shown. Move them to ${folders}, or delete them.`,
      );
    }
    return false;
  };
}
