import type { Settings } from '#config/index.ts';
import { tokenizeHtml } from '#contracts/html/html-text.ts';
import { findMediaFile } from '#contracts/index.ts';
import { pathsBelow } from '#contracts/site-paths.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import { toEpisodeArticle } from '#projection/episode-paths.ts';
import { readArticles, siteAddresses } from '#projection/read-articles.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** Links of a text to the publishing site without a matching page on this site. */
export interface UnresolvedLinks {
  kind: 'post' | 'page' | 'episode';
  id: number;
  /** Unique URLs. */
  links: string[];
}

/**
 * Finds unresolved links in posts, pages and episodes. Excludes linked files: the sync reports those that it can't
 * fetch.
 */
export function* findUnresolvedLinks(
  { options }: Pick<Settings, 'options'>,
  snapshot: SnapshotReader,
): Generator<UnresolvedLinks> {
  const addresses = siteAddresses(snapshot);
  const isPublishingSite = (address: string) => {
    const url = URL.parse(address);
    return url !== null && pathsBelow(url, addresses).some(({ isExact }) => isExact);
  };
  const { posts, pages, episodes, context } = readArticles({
    snapshot,
    options,
    languages: languageCodes(snapshot, options),
  });
  const texts = [
    ...posts.map((post) => ({ kind: 'post' as const, id: post.record.id, article: post })),
    ...pages.map((page) => ({ kind: 'page' as const, id: page.record.id, article: page })),
    ...episodes.map((episode) => ({
      kind: 'episode' as const,
      id: episode.record.id,
      article: toEpisodeArticle(episode),
    })),
  ];
  for (const { kind, id, article } of texts) {
    const links = new Set<string>();
    for (const piece of tokenizeHtml(article.record.html)) {
      const href = piece.kind === 'open' && piece.name === 'a' ? piece.attributes.get('href') : undefined;
      if (href === undefined || !isPublishingSite(href) || findMediaFile(href)) continue;
      if (context.resolveLink(href, article.language) === undefined) links.add(href);
    }
    if (links.size > 0) yield { kind, id, links: [...links] };
  }
}
