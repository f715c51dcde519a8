import path from 'node:path';
import type { LoaderSource } from '#product-index/with-snapshot.ts';

/**
 * Creates a check of files that lie in the folder of a language: false, with a warning for each folder, where the site
 * has no such language. A known language that isn't built is no mistake.
 */
export function languageCheck({
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
      const places = languages.map((code) => `${code}/`).join(', ');
      warn(
        `${path.posix.dirname(file)}/: "${language}" is no language of the site, and the files there aren't shown. Move them to ${places}, or delete them.`,
      );
    }
    return false;
  };
}
