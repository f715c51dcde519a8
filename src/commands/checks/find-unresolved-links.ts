import type { Settings } from '#config/index.ts';
import { htmlPieces } from '#contracts/html/index.ts';
import { mediaFileOf } from '#contracts/index.ts';
import { pathsBelow } from '#contracts/own-addresses.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import { pageOfEpisode } from '#projection/place-episodes.ts';
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
      article: pageOfEpisode(episode),
    })),
  ];
  for (const { kind, id, article } of texts) {
    const links = new Set<string>();
    for (const piece of htmlPieces(article.record.html)) {
      const href = piece.kind === 'open' && piece.name === 'a' ? piece.attributes.get('href') : undefined;
      if (href === undefined || !isPublishingSite(href) || mediaFileOf(href)) continue;
      if (context.resolveLink(href, article.language) === undefined) links.add(href);
    }
    if (links.size > 0) yield { kind, id, links: [...links] };
  }
}
