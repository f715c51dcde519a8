import { archivePath, journalPath } from '#catalogue/addresses/paths.ts';
import { addressSlug } from '#projection/address-slug.ts';
import { readTerms } from '#projection/term-index.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { Redirect } from './redirect.ts';

/**
 * Lists the earlier paths of categories, tags and authors. An archive without posts in a language redirects to the
 * journal.
 * @param isPage Returns true if a path has a page.
 */
export function* movedTerms(
  { snapshot, languages }: Pick<LoaderSource, 'snapshot' | 'languages'>,
  isPage: (pathname: string) => boolean,
): Generator<Redirect> {
  const past = snapshot.pastSlugs();
  if (past.length === 0) return;
  const terms = readTerms(snapshot).map((term) => [`${term.taxonomy} ${term.id}`, addressSlug(term)] as const);
  const authors = [...snapshot.records('author')].map(
    (author) => [`author ${author.id}`, addressSlug(author)] as const,
  );
  const current = new Map([...terms, ...authors]);
  for (const { kind, id, slug } of past) {
    const now = current.get(`${kind} ${id}`);
    for (const language of languages) {
      const from = archivePath(language, kind, addressSlug({ slug, id }));
      const archive = now === undefined ? undefined : archivePath(language, kind, now);
      const to = archive !== undefined && isPage(archive) ? archive : journalPath(language);
      if (from !== to && isPage(to)) yield { from, to };
    }
  }
}
