import type { ChangeRun } from './load-changes.ts';
import { escapeXml } from '#contracts/html/index.ts';
import { hashParts, type HashPart } from '#files/hash-parts.ts';
import type { PublicChange } from '#model/change-entry.ts';
import { changesJsonPath, changesRssPath } from '../addresses/change-feed-paths.ts';
import { rootPath } from '../addresses/paths.ts';
import { hubLink } from './post-feed.ts';

/** A change of one product rewrites its part. */
const PRODUCTS_PER_PART = 500;

/** Readers take what is new; `changes.json` has more. */
const MAX_ITEMS = 200;

/** The texts of a feed of changes in one language. */
export interface ChangeWords {
  /** BCP 47 tag. */
  lang: string;
  title: string;
  description: string;
  /** Title of a run: how many changes are listed, and whether these are all. */
  run: (changes: number, isComplete: boolean) => string;
  /** A change on one line. */
  change: (change: PublicChange) => string;
}

export interface FeedSite {
  words: ChangeWords;
  /** The site's public address. */
  origin: URL;
  /** Address of a WebSub hub that tells readers of news. */
  hub?: string | undefined;
}

/**
 * Composes a JSON Feed (jsonfeed.org, version 1.1) of what changed in the catalogue: an item for each run that changed
 * something, newest first. Programs read `_sortiment` of an item:
 *
 * - `digest`, `previousDigest`: names of the catalogue after and before the run. Whoever last saw `previousDigest`
 *   is up to date after these changes; whoever finds the digest that they know nowhere reads everything again.
 * - `complete`: false when there were more changes than are listed, as in the first run.
 * - `changes`: for each its `kind`, `change`, `title`, `fields`, and where there are such `gtin`, `language`, `url`,
 *   and of availability and price what they were and are.
 */
export function composeChangeFeed(runs: readonly ChangeRun[], { words, origin, hub }: FeedSite): object {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: words.title,
    description: words.description,
    language: words.lang,
    home_page_url: new URL(rootPath(), origin).href,
    feed_url: new URL(changesJsonPath(), origin).href,
    ...(hub !== undefined && { hubs: [{ type: 'WebSub', url: hub }] }),
    items: runs.map(({ id, at, digest, previousDigest = null, complete, changes }) => ({
      id,
      date_published: at.toISOString(),
      title: words.run(changes.length, complete),
      content_text: changes.map(words.change).join('\n') || words.run(0, complete),
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

/** Composes RSS 2.0 of what changed in the catalogue: an item for each change, newest first. */
export function composeChangeRss(runs: readonly ChangeRun[], { words, origin, hub }: FeedSite): string {
  const items = runs.flatMap(({ id, at, changes }) =>
    changes.map((change, i) => [
      ['title', words.change(change)],
      ...(change.path === undefined ? [] : [['link', new URL(change.path, origin).href]]),
      ['category', change.change],
      ['pubDate', at.toUTCString()],
      // A page changes more than once, so its address can't stand for the change.
      ['guid', `${id}#${i}`, ' isPermaLink="false"'],
    ]),
  );
  const self = escapeXml(new URL(changesRssPath(), origin).href);
  const newest = runs[0]?.at;
  const head = [
    ['title', words.title],
    ['link', new URL(rootPath(), origin).href],
    ['description', words.description],
    ['language', words.lang],
    ...(newest ? [['lastBuildDate', newest.toUTCString()]] : []),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<atom:link href="${self}" rel="self" type="application/rss+xml"/>${hubLink(hub)}
${writeElements(head)}
${items
  .slice(0, MAX_ITEMS)
  .map((item) => `<item>\n${writeElements(item)}\n</item>`)
  .join('\n')}
</channel>
</rss>
`;
}

function writeElements(elements: readonly (readonly string[])[]): string {
  return elements
    .map(([name, text = '', attributes = '']) => `<${name}${attributes}>${escapeXml(text)}</${name}>`)
    .join('\n');
}

export interface FeedPart extends HashPart {
  /** `products.ndjson` while there is one part, else `products-<number>.ndjson`. */
  fileName: (base: string, extension: string) => string;
}

/** The parts that so many products come in; a product stays in its part as long as there are as many. */
export function feedParts(products: number, perPart = PRODUCTS_PER_PART): FeedPart[] {
  return hashParts(products, perPart).map((part, i, { length }) => ({
    ...part,
    fileName: (base, extension) => `${base}${length === 1 ? '' : `-${i}`}.${extension}`,
  }));
}
