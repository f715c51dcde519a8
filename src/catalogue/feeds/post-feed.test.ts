import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, it } from 'vitest';
import type { PostEntry } from '#catalogue/entries/entries.ts';
import { atomFeed, postFeed } from './post-feed.ts';

const post = (slug: string, day: number, more: Partial<PostEntry> = {}): PostEntry => ({
  sourceId: day,
  language: 'de-de',
  title: `Beitrag <${slug}> & mehr`,
  html: '<p>Text</p>',
  excerpt: 'Kurz gesagt.',
  published: new Date(Date.UTC(2026, 10, day)),
  modified: new Date(Date.UTC(2026, 10, day, 12)),
  translations: {},
  path: `/de-de/journal/${slug}/`,
  slug,
  sticky: false,
  hasLead: true,
  categories: [{ slug: 'technik', name: 'Technik & Werk' }],
  tags: [],
  mentions: { gtins: [], names: [] },
  ...more,
});

const feed = {
  title: 'Haldenwerk: Journal',
  description: 'Wissen',
  language: 'de-DE',
  site: new URL('https://katalog.example'),
  posts: [post('a', 1), post('b', 2, { author: 'Mara Lindt' })],
  hub: 'https://hub.example/?a&b',
};

it('as Atom has what the standard asks for, and says where it and its hub are', () => {
  const path = '/de-de/atom.xml';
  const xml = atomFeed({ ...feed, path, page: '/de-de/journal/', author: 'Haldenwerk GmbH' });
  expect(XMLValidator.validate(xml)).toBe(true);
  const read: unknown = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(xml);
  expect(read).toMatchObject({
    feed: {
      id: 'https://katalog.example/de-de/atom.xml',
      title: 'Haldenwerk: Journal',
      updated: '2026-11-02T12:00:00.000Z',
      author: { name: 'Haldenwerk GmbH' },
      link: [
        { rel: 'self', href: 'https://katalog.example/de-de/atom.xml' },
        { rel: 'alternate', href: 'https://katalog.example/de-de/journal/' },
        { rel: 'hub', href: 'https://hub.example/?a&b' },
      ],
      entry: [
        {
          id: 'https://katalog.example/de-de/journal/b/',
          title: 'Beitrag <b> & mehr',
          published: '2026-11-02T00:00:00.000Z',
          author: { name: 'Mara Lindt' },
          category: { term: 'technik' },
        },
        { id: 'https://katalog.example/de-de/journal/a/' },
      ],
    },
  });
});

it('as RSS names its hub too, and none where there is none', async () => {
  const path = '/de-de/rss.xml';
  expect(await (await postFeed({ ...feed, path })).text()).toContain(
    '<atom:link href="https://hub.example/?a&amp;b" rel="hub"/>',
  );
  expect(await (await postFeed({ ...feed, path, hub: undefined })).text()).not.toContain('rel="hub"');
});
