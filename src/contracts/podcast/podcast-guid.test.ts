import { expect, test } from 'vitest';
import { podcastGuid } from './feed-document.ts';

/** Examples of the specification (https://podcasting2.org/docs/podcast-namespace/tags/guid). */
test.each([
  ['https://mp3s.nashownotes.com/pc20rss.xml', '917393e3-1b1e-5cef-ace4-edaa54e1f810'],
  ['http://podnews.net/rss', '9b024349-ccf0-5f69-a609-6b82873eab3c'],
  ['https://podnews.net/rss//', '9b024349-ccf0-5f69-a609-6b82873eab3c'],
])('a podcast without a guid gets that of its feed: %s', (feed, guid) => {
  expect(podcastGuid(feed)).toBe(guid);
});
