import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendHtml, sendJson } from '#client/testing/test-server.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { createMedia, createPost, startTestUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
beforeEach(async () => {
  upstream = await startTestUpstream();
  const { publishing } = upstream.upstreams;
  upstream.upstreams = { ...(publishing && { publishing }) };
  upstream.lists['posts'] = Array.from({ length: 120 }, (_, i) => createPost({ id: i + 1, slug: `p${i + 1}` }));
  upstream.lists['media'] = [createMedia()];
  await upstream.sync();
  upstream.server.seen.length = 0;
});
afterEach(() => upstream.close());

/** After the server's clock stood at 09:40. */
const LATER = '2026-11-21T09:45:00';

const slugs = () => upstream.read((snapshot) => [...snapshot.records('post')].map(({ slug }) => slug));
const cursor = () => upstream.read((snapshot) => snapshot.sources()[0]?.cursor);
const posts = () => upstream.lists['posts'] ?? [];
const asked = (list: string) =>
  upstream.server.seen
    .splice(0)
    .map(({ url }) => decodeURIComponent(url))
    .filter((url) => url.includes(`/${list}?`));

describe('a later run', () => {
  it('reads what changed, and sweeps over the ids of all', async () => {
    expect(await upstream.sync()).toMatchObject({ changed: false });
    expect(asked('posts')).toEqual([
      expect.stringContaining('modified_after=2026-11-21T09:30:00.000Z'),
      expect.stringMatching(/_fields=id,modified,modified_gmt.*page=1$/),
      expect.stringMatching(/_fields=id,modified,modified_gmt.*page=2$/),
    ]);
  });

  it('takes over changes, additions and removals', async () => {
    upstream.lists['posts'] = [
      createPost({ id: 1, slug: 'anders', modified_gmt: LATER }),
      ...posts().slice(2),
      createPost({ id: 500, slug: 'neu', modified_gmt: LATER }),
    ];
    const report = await upstream.sync();
    expect(report.counts.post?.['']).toEqual({ added: 1, changed: 1, removed: 1 });
    expect(slugs()).toEqual([
      'anders',
      ...posts()
        .slice(1, -1)
        .map(({ slug }) => slug),
      'neu',
    ]);
  });

  it('sees what the dates miss: a row with an old date, and one that is newer than it shows up', async () => {
    upstream.lists['posts'] = [
      ...posts().slice(0, 119),
      createPost({ id: 120, slug: 'umdatiert', modified_gmt: '2020-01-01T00:00:00' }),
      createPost({ id: 600, slug: 'von-frueher', modified_gmt: '2019-01-01T00:00:00' }),
    ];
    await upstream.sync();
    expect(slugs().slice(-2)).toEqual(['umdatiert', 'von-frueher']);
    expect(asked('posts').at(-1)).toMatch(/include=120,600/);
  });

  it('sees what the deletion of other rows changes, and reads nothing again from a server that leaves fields out', async () => {
    const [first, ...others] = posts();
    upstream.lists['posts'] = [{ ...first, categories: [], featured_media: 0 }, ...others];
    expect((await upstream.sync()).changes).toMatchObject([
      { kind: 'post', id: '1', fields: [{ field: 'categories' }] },
    ]);
    expect(asked('posts').at(-1)).toMatch(/include=1&/);

    upstream.fault = (_, request, response) => {
      if (!request.url?.includes('/posts?') || !request.url.includes('_fields')) return false;
      const rows = posts().map(({ id, modified_gmt }) => ({ id, modified_gmt }));
      sendJson(response, rows, { headers: { 'x-wp-total': '120', 'x-wp-totalpages': '1' } });
      return true;
    };
    await upstream.sync();
    expect(asked('posts').some((url) => url.includes('include='))).toBe(false);
  });

  it('is not shifted by rows that are added or removed while it reads', async () => {
    upstream.fault = (_, request) => {
      // Between the first page of the sweep and the second.
      if (/_fields=.*page=1$/.test(request.url ?? '') && request.url?.includes('/posts?')) {
        queueMicrotask(() => (upstream.lists['posts'] = posts().slice(1)));
      }
      return false;
    };
    const report = await upstream.sync();
    expect(report.changed).toBe(false);
    upstream.fault = undefined;
    expect((await upstream.sync()).counts.post?.['']).toMatchObject({ removed: 1, changed: 0 });
    expect(slugs()).toHaveLength(119);
  });

  it('reads everything again when the last whole read is a week old, or the address is another one', async () => {
    upstream.read(({ database }) => database.prepare('SELECT cursor FROM sources').get());
    const old = JSON.stringify({ readAt: '2026-11-21T09:40:00Z', fullReadAt: '2026-11-14T09:40:00Z' });
    const setCursor = (cursor: string) => {
      const snapshot = openSnapshot(upstream.settings.snapshotPath);
      snapshot.database.prepare(`UPDATE sources SET cursor = ? WHERE name = 'publishing'`).run(cursor);
      snapshot.close();
    };
    setCursor(old);
    await upstream.sync();
    expect(asked('posts').every((url) => !url.includes('modified_after'))).toBe(true);
    setCursor('not a cursor');
    await upstream.sync();
    expect(asked('posts').every((url) => !url.includes('modified_after'))).toBe(true);
    await upstream.sync();
    expect(asked('posts')[0]).toMatch(/modified_after/);
  });

  it('leaves the cursor where it was when it fails', async () => {
    const before = cursor();
    upstream.lists['posts'] = [createPost({ id: 1, slug: 'anders', modified_gmt: LATER }), ...posts().slice(1)];
    upstream.fault = (_, request, response) => {
      if (!request.url?.includes('/pages?')) return false;
      sendHtml(response, 500);
      return true;
    };
    await expect(upstream.sync()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(cursor()).toBe(before);
    upstream.fault = undefined;
    expect((await upstream.sync()).counts.post?.['']).toMatchObject({ changed: 1 });
  });

  it.each(['abc', 1.5, 1e300, null])('names a row whose id is %j, and takes over the others', async (id) => {
    const changed = [500, id].map((row) => createPost({ id: row, slug: 'neu', modified_gmt: LATER }));
    upstream.lists['posts'] = [...posts(), ...changed];
    upstream.lists['categories'] = [{ id }];
    const report = await upstream.sync();
    expect(report.counts.post?.['']).toEqual({ added: 1, changed: 0, removed: 0 });
    for (const kind of ['category', 'post']) {
      expect(report.problems).toContainEqual(expect.objectContaining({ kind, field: 'id', count: 1 }));
    }
  });

  it('removes nothing on the word of a site that answers something else than it was asked for', async () => {
    upstream.lists['posts'] = posts().slice(1);
    upstream.fault = (_, request, response) => {
      if (!request.url?.includes('include=')) return false;
      sendJson(response, posts().slice(0, 10));
      return true;
    };
    await expect(upstream.sync()).rejects.toMatchObject({ code: 'UPSTREAM_UNREADABLE' });
    expect(slugs()).toHaveLength(120);
  });

  it('goes without a post that has no readable date at all, and says so', async () => {
    const never = '0000-00-00T00:00:00';
    const dateless = { date: never, date_gmt: never, modified: never, modified_gmt: never };
    upstream.lists['posts'] = [...posts(), createPost({ id: 500, slug: 'ohne-tag', ...dateless })];
    const report = await upstream.sync();
    expect(report.problems).toContainEqual(
      expect.objectContaining({
        kind: 'post',
        field: 'date_gmt',
        count: 1,
        sample: expect.objectContaining({ id: '500' }),
      }),
    );
    expect(slugs()).toHaveLength(120);
  });

  it('reads a broken date in the time zone of the site, and says so in every run', async () => {
    upstream.index = { timezone_string: 'America/New_York' };
    const never = '-0001-11-30T00:00:00';
    const old = { date: '2011-03-04T05:06:07', date_gmt: never, modified: '2011-07-04T05:06:07', modified_gmt: never };
    const unset = { date: '2026-01-05T09:00:00', date_gmt: null, modified_gmt: '2026-11-20T10:00:00+00:00' };
    upstream.lists['posts'] = [createPost({ id: 500, ...old }), createPost({ id: 501, ...unset }), ...posts()];
    upstream.lists['pages'] = [createPost({ id: 600, ...old, parent: 0, menu_order: 0 })];
    upstream.lists['media'] = [createMedia({ id: 700, ...old })];
    for (let run = 0; run < 2; run += 1) {
      const report = await upstream.sync();
      expect(report.problems).toEqual([]);
      const found = report.warnings.map(({ kind, field, records }) => `${kind} ${field} ${records.join()}`);
      expect(found).toEqual(
        expect.arrayContaining([
          'post date_gmt 500,501',
          'post modified_gmt 500',
          'page date_gmt 600',
          'media date_gmt 700',
        ]),
      );
      upstream.server.seen.length = 0;
    }
    expect(asked('include')).toEqual([]);
    const records = upstream.read((snapshot) =>
      (['post', 'page', 'media'] as const).flatMap((kind) =>
        [...snapshot.records(kind)]
          .filter(({ id }) => id >= 500)
          .map((record) => ['published' in record ? record.published : '', record.modified]),
      ),
    );
    expect(records).toEqual([
      ['2011-03-04T10:06:07Z', '2011-07-04T09:06:07Z'],
      ['2026-01-05T14:00:00Z', '2026-11-20T10:00:00Z'],
      ['2011-03-04T10:06:07Z', '2011-07-04T09:06:07Z'],
      ['', '2011-07-04T09:06:07Z'],
    ]);
  });

  it('takes a post without what a page can do without', async () => {
    const bare = createPost({ id: 500, slug: 'knapp', modified_gmt: LATER });
    const { id, slug, status, link, content, date_gmt, modified_gmt } = bare;
    upstream.lists['posts'] = [...posts(), { id, slug, status, link, content, date_gmt, modified_gmt, excerpt: null }];
    expect((await upstream.sync()).problems).toEqual([]);
    const [record] = upstream.read((snapshot) => [...snapshot.records('post')].filter((post) => post.id === 500));
    expect(record).toMatchObject({ title: '', excerpt: '', categories: [], sticky: false, format: 'standard' });
  });

  it('knows the original of a sized picture though the media have not changed', async () => {
    const html = '<p><img src="https://site.example/uploads/bild-300x200.png" alt=""></p>';
    upstream.lists['posts'] = [
      createPost({ id: 1, content: { rendered: html, protected: false }, modified_gmt: LATER }),
      ...posts().slice(1),
    ];
    await upstream.sync();
    const references = upstream.read(({ database }) =>
      database.prepare(`SELECT address FROM asset_references WHERE owner = 'post/1'`).all(),
    );
    expect(references).toEqual([{ address: 'https://site.example/uploads/bild.png' }]);
  });
});

const record = (kind: 'post' | 'category', id: number) =>
  upstream.read((snapshot) => [...snapshot.records(kind)].find((one) => one.id === id));

describe('an invalid field that a row can do without', () => {
  const EXCERPT = 'Kurz gesagt.';

  beforeEach(async () => {
    upstream.lists['media'] = [];
    posts()[0] = createPost({
      id: 1,
      slug: 'p1',
      modified_gmt: '2026-11-21T09:30:00',
      excerpt: { rendered: EXCERPT, protected: false },
    });
    await upstream.sync();
  });

  it('keeps its last good value, with a warning in every run, while the rest of the row is taken over', async () => {
    upstream.lists['posts'] = [
      createPost({
        id: 1,
        slug: 'p1',
        modified_gmt: LATER,
        title: { rendered: 'Neu' },
        excerpt: 'kaputt',
        tags: { a: 1 },
      }),
      ...posts().slice(1),
    ];
    for (const round of [1, 2, 3]) {
      const report = await upstream.sync();
      expect(report, `round ${round}`).toMatchObject({
        changed: round === 1,
        problems: [],
        warnings: [
          {
            kind: 'post',
            field: 'excerpt',
            problem: expect.stringContaining('so its last good value stays'),
            examples: [`1: "kaputt"; "${EXCERPT}" of 2026-11-21 stays`],
          },
          { kind: 'post', field: 'tags', examples: [expect.stringContaining('stays')] },
        ],
      });
    }
    expect(record('post', 1)).toMatchObject({ title: 'Neu', excerpt: EXCERPT, modified: `${LATER}Z` });
    posts()[0] = createPost({ id: 1, slug: 'p1', modified_gmt: LATER, excerpt: { rendered: 'Gut', protected: false } });
    expect((await upstream.sync()).warnings).toEqual([]);
    expect(record('post', 1)).toMatchObject({ excerpt: 'Gut' });
    expect(record('post', 1)).not.toHaveProperty('warnings');
  });

  it('is left out where there is no last good value; what a row needs makes it unusable', async () => {
    posts().push(
      createPost({ id: 200, slug: 'neu', modified_gmt: LATER, excerpt: 7, author: 'x' }),
      createPost({ id: 201, slug: 'ohne', modified_gmt: LATER, title: 7 }),
    );
    upstream.lists['categories'] = [
      { id: 1, link: '', name: 'Bau', slug: 'bau', taxonomy: 'category', parent: 'x', description: 7 },
    ];
    const report = await upstream.sync();
    expect(record('post', 200)).toMatchObject({ slug: 'neu', excerpt: '', author: 0 });
    expect(record('post', 201)).toBeUndefined();
    expect(record('category', 1)).toMatchObject({ name: 'Bau', description: '' });
    expect(report.problems).toMatchObject([{ kind: 'post', field: 'title', records: ['201'] }]);
    expect(report.warnings.map(({ kind, field }) => `${kind} ${field}`).toSorted()).toEqual([
      'category description',
      'category parent',
      'post author',
      'post excerpt',
    ]);
  });

  it('makes the row unusable where the options say so, and is of no interest where nothing is made of it', async () => {
    upstream.settings.options.sync.invalidFields = 'strict';
    posts()[0] = createPost({ id: 1, slug: 'p1', modified_gmt: LATER, excerpt: 7 });
    posts()[1] = createPost({ id: 2, slug: 'p2', modified_gmt: LATER, ping_status: 'maybe', class_list: 7 });
    const report = await upstream.sync();
    expect(report.problems).toMatchObject([{ kind: 'post', field: 'excerpt', records: ['1'] }]);
    expect(record('post', 2)).toMatchObject({ modified: `${LATER}Z` });
  });
});
