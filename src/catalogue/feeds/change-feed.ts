import { changesJsonPath } from '../addresses/change-feed-paths.ts';
import type { ChangeRun } from './load-changes.ts';
import { rootPath } from '../addresses/paths.ts';
import { wordChange } from './word-change.ts';

export interface FeedSite {
  name: string;
  /** The site's public address. */
  origin: URL;
}

/**
 * What changed in the catalogue, as a JSON Feed (jsonfeed.org, version 1.1): an item for each run that changed
 * something, newest first. What a machine needs is in `_sortiment` of an item:
 *
 * - `digest`, `previousDigest`: names of the catalogue after and before the run. Whoever last saw `previousDigest`
 *   is up to date after these changes; whoever finds the digest that they know nowhere reads everything again.
 * - `complete`: false when there were more changes than are listed, as in the first run.
 * - `changes`: for each its `kind`, `change`, `title`, `fields`, and where there are such `gtin`, `language`, `url`,
 *   and of availability and price what they were and are.
 */
export function composeChangeFeed(runs: readonly ChangeRun[], { name, origin }: FeedSite): object {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: `${name}: changes`,
    home_page_url: new URL(rootPath(), origin).href,
    feed_url: new URL(changesJsonPath(), origin).href,
    items: runs.map(({ id, at, digest, previousDigest = null, complete, changes }) => ({
      id,
      date_published: at.toISOString(),
      title: complete ? `${changes.length} changes` : `${changes.length} changes and more`,
      content_text: changes.map(wordChange).join('\n') || 'Nothing that the catalogue lists.',
      _sortiment: {
        digest,
        previousDigest,
        complete,
        changes: changes.map(({ path, ...change }) => ({
          ...change,
          ...(path !== undefined && { url: new URL(path, origin).href }),
        })),
      },
    })),
  };
}
