import { afterEach, beforeEach, expect, it } from 'vitest';
import { addHeads, type TestHeads } from '#sync/testing/test-heads.ts';
import { startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { checkArticleHeads } from './check-article-heads.ts';
import { inspectSite } from './inspect-site.ts';

let upstream: TestUpstream;
let test: TestHeads;

beforeEach(async () => {
  upstream = await startTestUpstream({ assortment: () => [], mainLanguage: 'en-gb' });
  delete upstream.upstreams.product;
  test = await addHeads(upstream);
});
afterEach(() => upstream.close());

const POST = '/en-gb/journal/barcode-lookup-launches/';
const check = () => upstream.read((snapshot) => checkArticleHeads(upstream.settings, snapshot));

it('lists pages without description, with equal titles, with texts too long, without links, with pictures too small', async () => {
  const [first, second] = upstream.lists['posts'] ?? [];
  Object.assign(first ?? {}, {
    excerpt: { rendered: '', protected: false },
    content: { rendered: '', protected: false },
  });
  const link = `<p><a href="${upstream.server.origin}/barcode-lookup-launches/">x</a></p>`;
  Object.assign(second ?? {}, { content: { rendered: link, protected: false } });
  test.of('page').json['title'] = 'Written by the author - Signal &amp; Noise';
  const team = test.heads.find(({ url }) => url.endsWith('/team/'));
  Object.assign(team?.json ?? {}, { title: 'W'.repeat(80), description: 'long '.repeat(60) });
  const twin = test.heads.find(({ url }) => url.endsWith('/only-a-picture-in-the-text/'));
  Object.assign(twin?.json ?? {}, { title: 'Written by the author - Signal &amp; Noise' });
  await upstream.sync();
  const { pages, found } = check();
  expect(pages).toBe(5);
  expect(found).toEqual({
    undescribed: [{ path: POST, detail: 'Barcode lookup launches · Test' }],
    sameTitle: [
      '/en-gb/journal/written-by-the-author/',
      '/en-gb/journal/only-a-picture-in-the-text/',
      '/en-gb/about/',
    ].map((path) => ({ path, detail: 'Written by the author · Test' })),
    overlong: [
      { path: '/en-gb/team/', detail: expect.stringMatching(/^title of \d+ px/) },
      { path: '/en-gb/team/', detail: 'description of 299 characters, 156 are shown' },
    ],
    orphan: expect.arrayContaining([expect.objectContaining({ path: '/en-gb/about/' })]),
    smallPicture: [{ path: '/en-gb/journal/only-a-picture-in-the-text/', detail: '80 × 120 px' }],
  });
  expect(found.orphan.map(({ path }) => path)).not.toContain(POST);
  // The report of a sync has the same issues.
  const issues = upstream.read((snapshot) => inspectSite(upstream.settings, snapshot));
  expect(issues).toContainEqual(
    expect.objectContaining({ kind: 'head', id: POST, problem: 'no description for search results' }),
  );
});

it('says nothing of pages that search engines leave out', async () => {
  await upstream.sync();
  expect(check().found.orphan.map(({ path }) => path)).toContain(POST);
  test.of('post').json['robots'] = { index: 'noindex' };
  for (const head of test.heads) test.modified.set(`${head.kind}/${head.id}`, '2026-11-21T09:39:30.000Z');
  await upstream.sync();
  expect(JSON.stringify(check())).not.toContain(POST);
});
