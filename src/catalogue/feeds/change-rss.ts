import type { FeedSite } from './change-feed.ts';
import { changesRssPath } from '../addresses/change-feed-paths.ts';
import type { ChangeRun } from './load-changes.ts';
import { escapeXml } from '#contracts/html/index.ts';
import { rootPath } from '../addresses/paths.ts';
import { wordChange } from './word-change.ts';

/** Readers take what is new; `changes.json` has more. */
const MAX_ITEMS = 200;

/** What changed in the catalogue, as RSS 2.0: an item for each change, newest first. */
export function composeChangeRss(runs: readonly ChangeRun[], { name, origin }: FeedSite): string {
  const items = runs.flatMap(({ id, at, changes }) =>
    changes.map((change, i) => [
      ['title', wordChange(change)],
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
    ['title', `${name}: changes`],
    ['link', new URL(rootPath(), origin).href],
    ['description', `What changed in the catalogue of ${name}.`],
    ...(newest ? [['lastBuildDate', newest.toUTCString()]] : []),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<atom:link href="${self}" rel="self" type="application/rss+xml"/>
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
