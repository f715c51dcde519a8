import { escapeXml } from '#contracts/html/html-text.ts';
import { hashParts, type HashPart } from '#files/hash-parts.ts';
import type { PublicChange, ChangeEntry } from '../entries/entries.ts';
import { changesJsonPath, changesRssPath } from '../addresses/site-paths.ts';
import { rootPath } from '../addresses/paths.ts';
import { hubLink } from './post-feed.ts';

/** Number of products per file. A change of one product rewrites its file. */
const PRODUCTS_PER_PART = 500;

/** Maximum number of RSS items. `changes.json` has more. */
const MAX_ITEMS = 200;

/** Messages of a feed of changes in one language. */
export interface ChangeMessages {
  /** BCP 47 tag. */
  lang: string;
  title: string;
  description: string;
  /** Formats the title of a run from the number of listed changes. */
  run: (changes: number, isComplete: boolean) => string;
  /** Formats a change on one line. */
  change: (change: PublicChange) => string;
}

export interface ChangeFeedOptions {
  words: ChangeMessages;
  /** Public URL of the site. */
  origin: URL;
  /** URL of a WebSub hub that notifies subscribers. */
  hub?: string | undefined;
}

/**
 * Creates a JSON Feed (jsonfeed.org, version 1.1) of catalogue changes, with an item for each run that changed
 * something, newest first. Clients read the member `_sortiment` of an item:
 *
 * - `digest`, `previousDigest`: digests of the catalogue after and before the run. A client at `previousDigest` is up
 *   to date after applying the changes. A client whose digest isn't listed has to load everything again.
 * - `complete`: false if there were more changes than are listed, as in the first run.
 * - `changes`: `kind`, `change`, `title` and `fields` of each change. `gtin`, `language`, `url` and the old and new
 *   availability and price are optional.
 */
export function composeChangeFeed(runs: readonly ChangeRun[], { words, origin, hub }: ChangeFeedOptions): object {
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

/** Creates RSS 2.0 of catalogue changes, with an item for each change, newest first. */
export function composeChangeRss(runs: readonly ChangeRun[], { words, origin, hub }: ChangeFeedOptions): string {
  const items = runs.flatMap(({ id, at, changes }) =>
    changes.map((change, i) => [
      ['title', words.change(change)],
      ...(change.path === undefined ? [] : [['link', new URL(change.path, origin).href]]),
      ['category', change.change],
      ['pubDate', at.toUTCString()],
      // The URL of a page can't identify a change, because a page changes repeatedly.
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

export interface FeedPartition extends HashPart {
  /** `products.ndjson` if there is one file, else `products-<number>.ndjson`. */
  fileName: (base: string, extension: string) => string;
}

/** Returns the files for a number of products. A product stays in its file while the number of files is the same. */
export function partitionFeed(products: number, perPart = PRODUCTS_PER_PART): FeedPartition[] {
  return hashParts(products, perPart).map((part, i, { length }) => ({
    ...part,
    fileName: (base, extension) => `${base}${length === 1 ? '' : `-${i}`}.${extension}`,
  }));
}

/** A run that changed the catalogue. */
export interface ChangeRun extends ChangeEntry {
  id: string;
}

/**
 * Removes runs without public changes. The digests of the remaining runs are linked, so that the chain is complete.
 * @param runs Newest first.
 */
export function withoutEmptyRuns<Run extends ChangeEntry>(runs: readonly Run[]): Run[] {
  const visible: Run[] = [];
  for (const run of runs) {
    const newer = visible.at(-1);
    if (!run.complete || run.changes.length > 0) visible.push(run);
    else if (newer) visible[visible.length - 1] = { ...newer, previousDigest: run.previousDigest };
  }
  return visible;
}
