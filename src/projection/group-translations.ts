import type { PageRecord, PostRecord } from '#contracts/synced/index.ts';
import type { Placed } from './place-posts.ts';
import type { TermIndex } from './term-index.ts';

/** Id at the publishing site -> language -> path of the same thing in that language, itself included. */
export type Translations = ReadonlyMap<number, Record<string, string>>;

/** Posts that share a tag with the prefix are translations of each other. */
export function groupPosts(
  posts: readonly Placed<PostRecord>[],
  terms: TermIndex,
  tagPrefix: string | undefined,
): Translations {
  return group(posts, ({ record }) =>
    tagPrefix === undefined ? undefined : terms.tagSlugs(record).find((slug) => slug.startsWith(tagPrefix)),
  );
}

/** Pages whose slugs, with or without the language's prefix, stand in one group of the options. */
export function groupPages(
  pages: readonly Placed<PageRecord>[],
  slugGroups: readonly (readonly string[])[],
): Translations {
  return group(pages, ({ record, slug }) => {
    const index = slugGroups.findIndex((slugs) => slugs.includes(record.slug) || slugs.includes(slug));
    return index < 0 ? undefined : String(index);
  });
}

function group<T extends { id: number }>(
  articles: readonly Placed<T>[],
  keyOf: (article: Placed<T>) => string | undefined,
): Translations {
  const groups = new Map<string, Record<string, string>>();
  for (const article of articles) {
    const key = keyOf(article);
    if (key === undefined) continue;
    const paths = groups.get(key) ?? {};
    paths[article.language] ??= article.path;
    groups.set(key, paths);
  }
  return new Map(
    articles.map((article) => {
      const shared = groups.get(keyOf(article) ?? '');
      // A second one in the same language is nobody's translation: links would not lead back to it.
      const paths = shared?.[article.language] === article.path ? shared : { [article.language]: article.path };
      return [article.record.id, paths];
    }),
  );
}
