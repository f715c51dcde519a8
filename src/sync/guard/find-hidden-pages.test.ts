import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findHiddenLanguages, pageLanguages } from '#commands/checks/check-article-heads.ts';
import { inspectSite } from '#commands/checks/inspect-site.ts';
import { formatReport } from '../report/format-report.ts';
import { addHeads, type TestHeads } from '../testing/test-heads.ts';
import { createPost, startTestUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let test: TestHeads;

beforeEach(async () => {
  upstream = await startTestUpstream({ assortment: () => [], mainLanguage: 'en-gb', languages: ['en-gb', 'de-de'] });
  delete upstream.upstreams.product;
  test = await addHeads(upstream);
});
afterEach(() => upstream.close());

/** As the setting does that discourages search engines from indexing a site. */
function discourageSearchEngines(heads = test.heads): void {
  for (const head of heads) {
    head.json['robots'] = { index: 'noindex', follow: 'nofollow' };
    test.modified.set(`${head.kind}/${head.id}`, '2026-11-21T09:39:30.000Z');
  }
}

const sync = (options?: Parameters<TestUpstream['sync']>[0]) =>
  upstream.sync({
    inspect: (snapshot) => inspectSite(upstream.settings, snapshot),
    languagesOf: (snapshot) => pageLanguages(upstream.settings, snapshot),
    ...options,
  });
const failure = (options?: Parameters<TestUpstream['sync']>[0]) =>
  sync(options).then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error as Error & { code: string; hint: string },
  );
const robots = () => upstream.read((snapshot) => [...snapshot.records('head')].map((head) => head.robots[0]));

describe('a publishing site that hides its pages from search engines', () => {
  it('stops the run, until exactly that is accepted', async () => {
    await sync();
    discourageSearchEngines();
    const error = await failure();
    expect(error).toMatchObject({
      code: 'CHANGES_REFUSED',
      message: expect.stringMatching(
        /The home page would be hidden from search engines:[^]*9 of 9 pages of the publishing site would be hidden from search engines \(at most 4\)[^]*discourages search engines from indexing it/,
      ),
    });
    expect(robots()).not.toContain('noindex');
    const accept = /--accept ([0-9a-f]+)/.exec(error.hint)?.[1] ?? '';
    await sync({ accept });
    expect(new Set(robots())).toEqual(new Set(['noindex']));
    // An accepted change is reported, but no longer rejected.
    const { warnings } = await sync();
    expect(warnings).toContainEqual(expect.objectContaining({ kind: 'language' }));
  });

  it('stops the run for the home page alone', async () => {
    await sync();
    discourageSearchEngines([test.of('home')]);
    expect(await failure()).toMatchObject({
      code: 'CHANGES_REFUSED',
      message: expect.stringMatching(/The home page would be hidden from search engines:\n +home\/0 http/),
    });
  });

  it('stops the run when heads come that were not read before: until then the pages were listed', async () => {
    test.routes = { list: false, one: false };
    await sync();
    test.routes = { list: true, one: true };
    discourageSearchEngines();
    expect((await failure()).message).toContain('9 of 9 pages');
  });

  it('is told in the report of a first run, with the number of pages and the setting', async () => {
    discourageSearchEngines();
    const report = await sync();
    expect(report.warnings).toContainEqual(
      expect.objectContaining({
        kind: 'language',
        problem: 'has pages that are kept from search engines (noindex)',
        advice: expect.stringContaining('discourages search engines from indexing it (Settings, Reading)'),
        examples: ['en-gb: 6 of 6 pages (the home page too)'],
      }),
    );
    expect(formatReport(report)).toContain('en-gb: 6 of 6 pages (the home page too)');
    // Other checks of the pages go on.
    expect(report.warnings.some(({ kind, problem }) => kind === 'head' && problem.includes('no link'))).toBe(true);
  });

  it('leaves editors their choice of single pages, and says nothing of it', async () => {
    await sync();
    discourageSearchEngines(test.heads.filter(({ kind }) => kind === 'post'));
    const { warnings } = await sync();
    expect(warnings.filter(({ problem }) => problem.includes('kept from search'))).toEqual([]);
    expect(robots().filter((word) => word === 'noindex')).toHaveLength(3);
  });

  it('is guarded in each language by itself', async () => {
    upstream.settings.options.publishing.language = [{ by: 'slug-prefix', prefixes: { 'de-': 'de-de' } }];
    for (let id = 100; id < 105; id += 1) {
      const url = `${upstream.server.origin}/de-${id}/`;
      upstream.lists['posts']?.push(createPost({ id, slug: `de-${id}`, link: url, author: 0, categories: [] }));
      test.heads.push({ ...test.of('post'), id, url, json: { ...test.of('post').json, canonical: url } });
    }
    for (let id = 200; id < 230; id += 1) upstream.lists['posts']?.push(createPost({ id, slug: `en-${id}`, link: '' }));
    await sync();
    discourageSearchEngines(test.heads.filter(({ id }) => id >= 100 && id < 104));
    expect((await failure()).message).toContain(
      '4 of 5 pages in de-de would be hidden from search engines (at most 3)',
    );
    upstream.settings.options.sync.guard.hidden = 1;
    await sync();
    expect(upstream.read((snapshot) => findHiddenLanguages(upstream.settings, snapshot))).toMatchObject([
      { language: 'de-de', cause: 'noindex', hidden: 4, pages: 5, isHomeHidden: false },
    ]);
  });
});

function lead(host: string): void {
  for (const head of test.heads) {
    head.json['canonical'] = head.url.replace(upstream.server.origin, host);
    test.modified.set(`${head.kind}/${head.id}`, '2026-11-21T09:39:30.000Z');
  }
}

describe('a publishing site whose pages name another host as their own', () => {
  it('stops a run, and is told in the report of a first one', async () => {
    await sync();
    lead('https://elsewhere.example');
    const error = await failure();
    expect(error.message).toContain(
      '9 of 9 pages of the publishing site would get a canonical address on another site',
    );
    await sync({ accept: /--accept ([0-9a-f]+)/.exec(error.hint)?.[1] ?? '' });
    expect((await sync()).warnings).toContainEqual(
      expect.objectContaining({
        kind: 'language',
        problem: 'has pages that name another host as their address (canonical)',
        advice: expect.stringContaining('correct the address of the publishing site'),
      }),
    );
  });

  it('may be known by several names: that of the site with www, and that of the catalogue', async () => {
    await sync();
    lead('http://localhost:4321');
    await sync();
  });
});
