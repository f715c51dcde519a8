import { describe, expect, it } from 'vitest';
import { defineConfig } from '#config/index.ts';
import type { EpisodeEntry, PodcastEntry } from '#catalogue/entries/entries.ts';
import { snapshotLoaders } from './snapshot-loaders.ts';
import { createCollection } from '../../catalogue/testing/create-loader-context.ts';
import {
  byId,
  createEpisode,
  createPost,
  createProduct,
  createShow,
  createTerm,
  languages,
  PODCAST as podcast,
  SITE,
  writeSnapshot,
  type SnapshotContent,
} from '../../catalogue/testing/write-snapshot.ts';

const AUDIO = `${SITE}/audio/one.mp3`;

const options = defineConfig({
  site: { name: 'Haldenwerk', url: 'https://katalog.example' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
  mainLanguage: 'de-de',
  publishing: {
    language: [
      { by: 'tag', terms: { english: 'en-gb' } },
      { by: 'slug-prefix', prefixes: { 'en-': 'en-gb' } },
    ],
    translations: { tagPrefix: 'translation-' },
  },
});

const base = (records: SnapshotContent['records'], more: SnapshotContent = {}): SnapshotContent => ({
  ...more,
  records: {
    language: languages('de-de', 'en-gb'),
    site: [{ id: 'site', record: { name: 'Journal', description: '', url: SITE } }],
    author: byId({ id: 1, slug: 'redaktion', name: 'Redaktion', description: '', url: '' }),
    podcast: byId(podcast),
    ...records,
  },
});

async function load(content: SnapshotContent, chosen = options) {
  const folder = writeSnapshot(content);
  const [podcasts, episodes, posts] = [createCollection(folder), createCollection(folder), createCollection(folder)];
  await podcasts.load(snapshotLoaders(chosen).podcasts);
  await episodes.load(snapshotLoaders(chosen).episodes);
  await posts.load(snapshotLoaders(chosen).posts);
  return {
    podcasts: [...podcasts.entries.values()].map(({ data }) => data as PodcastEntry),
    ids: [...episodes.entries.keys()],
    episode: (id: string) => episodes.entries.get(id)?.data as EpisodeEntry | undefined,
    post: (id: string) => posts.entries.get(id)?.data as { html: string } | undefined,
  };
}

describe('the language of an episode', () => {
  const english = createTerm({ id: 7, taxonomy: 'tag', slug: 'english' });
  const shows = [
    createShow({ id: 3, slug: 'clearing', title: 'Clearing the Air', language: 'en-GB', guid: 'aaaa' }),
    createShow({ id: 4, slug: 'aire', title: 'Aire', language: 'es' }),
    createShow({ id: 5, slug: 'ohne', title: 'Ohne', language: undefined }),
  ];
  it.each([
    ['its show’s, whatever the case of its code', { show: 'clearing', slug: 'x' }, ['en-gb/x']],
    ['its show’s, before its tags', { show: 'aire', slug: 'x', tags: [7] }, []],
    ['what its tags say, where no show does', { show: 'ohne', slug: 'x', tags: [7] }, ['en-gb/x']],
    ['what its slug says, which is left out then', { slug: 'en-x' }, ['en-gb/x']],
    ['that of the podcast, without its region too', { slug: 'x' }, ['de-de/x']],
  ] as const)('is %s', async (_name, fields, ids) => {
    const { tags = [], ...rest } = { tags: [] as readonly number[], ...fields };
    const episode = createEpisode({ id: 1, ...rest, tags: [...tags] });
    const loaded = await load(base({ show: byId(...shows), tag: byId(english), episode: byId(episode) }));
    expect(loaded.ids).toEqual(ids);
  });

  it('is the main language where nothing is set', async () => {
    const silent = { ...podcast, language: undefined };
    const { ids } = await load(base({ podcast: byId(silent), episode: byId(createEpisode({ id: 1, slug: 'x' })) }));
    expect(ids).toEqual(['de-de/x']);
  });

  it('decides which podcasts there are: the show of a language, or the podcast with a guid of its own', async () => {
    const episodes = byId(createEpisode({ id: 1, slug: 'a' }), createEpisode({ id: 2, slug: 'en-b' }));
    const { podcasts } = await load(base({ episode: episodes }));
    expect(podcasts).toMatchObject([
      { language: 'de-de', title: 'Dichtung', guid: podcast.guid, category: { top: 'Arts', leaf: 'Books' } },
      { language: 'en-gb', title: 'Dichtung', guid: undefined },
    ]);
    const withShow = await load(base({ show: byId(...shows), episode: episodes }));
    expect(withShow.podcasts[1]).toMatchObject({ title: 'Clearing the Air', guid: 'aaaa', author: 'Redaktion' });
    expect((await load(base({}))).podcasts).toEqual([]);
  });
});

describe('an episode', () => {
  it('plays the copy in this site, or the source where there is none', async () => {
    const audio = {
      url: AUDIO,
      kind: 'audio',
      digest: 'ab'.repeat(32),
      file: 'ab/cd.mp3',
      bytes: 99,
      mimeType: 'audio/mpeg',
    };
    const records = { episode: byId(createEpisode({ id: 1, slug: 'x' })) };
    const mirrored = await load(base(records, { assets: [audio] }));
    expect(mirrored.episode('de-de/x')?.audio).toEqual([
      {
        href: '/documents/abababab-one.mp3',
        fileName: 'one.mp3',
        mimeType: 'audio/mpeg',
        bytes: 99,
        digest: audio.digest,
      },
    ]);
    const source = [{ href: AUDIO, fileName: 'one.mp3', mimeType: 'audio/mpeg', bytes: 10 }];
    expect((await load(base(records))).episode('de-de/x')?.audio).toEqual(source);
    const linking = { ...options, podcast: { ...options.podcast, audio: 'link' as const } };
    const linked = await load(base(records, { assets: [audio] }), linking);
    expect(linked.episode('de-de/x')?.audio).toMatchObject([{ href: AUDIO, bytes: 99 }]);
  });

  it('has no chapters behind its end, by the duration of its record or else of its audio', async () => {
    const chapters = [0, 29_999, 30_000, 40_000].map((startMs) => ({ startMs, title: 'x' }));
    const starts = async (durationMs: number, details?: { durationMs: number }) => {
      const audio = { url: AUDIO, kind: 'audio', digest: 'ab'.repeat(32), file: 'ab/cd.mp3', bytes: 99, details };
      const records = { episode: byId(createEpisode({ id: 1, slug: 'x', chapters, durationMs })) };
      const { episode } = await load(base(records, { assets: [audio] }));
      return episode('de-de/x')?.chapters.map(({ startMs }) => startMs);
    };
    expect(await starts(30_000)).toEqual([0, 29_999]);
    expect(await starts(0, { durationMs: 35_000 })).toEqual([0, 29_999, 30_000]);
    expect(await starts(0)).toHaveLength(4);
  });

  it('links to pages of this site in notes and chapters, and posts link to it', async () => {
    const html = `<p><a href="${SITE}/post/">Post</a> <a href="/podcast/y/">Y</a></p>`;
    const chapters = [
      { startMs: 0, title: 'Post', href: `${SITE}/post/` },
      { startMs: 1, title: 'Bahn', href: `${SITE}/01/09524010000016` },
      { startMs: 2, title: 'Bahn', href: 'https://katalog.example/01/9524010000016/' },
      { startMs: 3, title: 'Keine', href: `${SITE}/01/09524010000023` },
      { startMs: 4, title: 'Fremd', href: 'https://elsewhere.example/01/09524010000016' },
      { startMs: 5, title: 'Nichts' },
    ];
    const post = createPost({ id: 9, slug: 'post', html: `<p><a href="${SITE}/?p=1001">Folge</a></p>` });
    const { episode, post: postOf } = await load(
      base(
        {
          post: byId(post),
          episode: byId(createEpisode({ id: 1, slug: 'x', html, chapters }), createEpisode({ id: 2, slug: 'y' })),
        },
        { products: [{ language: 'de-de', record: createProduct() }] },
      ),
    );
    expect(episode('de-de/x')?.html).toBe(
      '<p><a href="/de-de/journal/post/">Post</a> <a href="/de-de/podcast/y/">Y</a></p>',
    );
    expect(episode('de-de/x')?.chapters.map(({ href }) => href)).toEqual([
      '/de-de/journal/post/',
      '/01/09524010000016/',
      '/01/09524010000016/',
      `${SITE}/01/09524010000023`,
      'https://elsewhere.example/01/09524010000016',
      undefined,
    ]);
    expect(postOf('de-de/post')?.html).toContain('href="/de-de/podcast/x/"');
  });

  it('has its contributors, and translations by a tag that is not shown', async () => {
    const tags = [
      createTerm({ id: 8, taxonomy: 'tag', slug: 'translation-one' }),
      createTerm({ id: 9, taxonomy: 'tag', slug: 'winter', name: 'Winter' }),
    ];
    const { episode } = await load(
      base({
        tag: byId(...tags),
        episode: byId(
          createEpisode({ id: 1, slug: 'eins', tags: [8, 9] }),
          createEpisode({ id: 2, slug: 'en-one', tags: [8] }),
        ),
      }),
    );
    const translations = { 'de-de': '/de-de/podcast/eins/', 'en-gb': '/en-gb/podcast/one/' };
    expect(episode('de-de/eins')).toMatchObject({
      translations,
      tags: [{ slug: 'winter', name: 'Winter' }],
      contributors: [{ name: 'Redaktion' }],
    });
    expect(episode('en-gb/one')).toMatchObject({ translations, tags: [] });
  });
});
