import { afterAll, beforeAll, expect, it } from 'vitest';
import { request as httpRequest } from 'node:http';
import { pageHead, type HeadSite } from '#catalogue/seo/head.ts';
import { mergeHead } from '#catalogue/seo/merge-head.ts';
import { sendJson, startFakeServer, type TestServer } from '#client/testing/test-server.ts';
import type { PageKind } from '#contracts/seo/templates.ts';
import { openTestSite, OPEN_TIMEOUT_MS, type TestSite } from '#origin/testing/open-test-site.ts';
import { languageCodes } from '#catalogue/read-model/with-snapshot.ts';
import { startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { projectHeads } from './project-heads.ts';
import { compareHeads } from '../testing/compare-heads.ts';

const ORIGIN = new URL('https://site.example');
const SITE: HeadSite = {
  name: 'Sortiment',
  origin: ORIGIN,
  language: 'en-us',
  lang: 'en-US',
  home: '/en-us/',
  separator: '·',
  templates: {},
  page: String,
  verification: {},
  links: [],
};

const COUNT = process.env['SORTIMENT_SOAK'] ? 200 : 40;

/** Path at the origin, path of its page, kind of page, keys of texts that editors wrote. */
type Page = readonly [path: string, to: string, kind: PageKind, written?: readonly string[]];

const TEXTS = ['title', 'description', 'og_title', 'og_description'];

let site: TestSite;
/** Stands before the origin, and refuses the list of heads when it shall. */
let gate: TestServer;
let hasList = true;
const pages: Page[] = [['/', '/en-us/', 'home']];

async function post(path: string, body: object): Promise<{ id: number; link: string; slug: string }> {
  const headers = { 'content-type': 'application/json' };
  const answer = await site.fetch(path, { method: 'POST', as: 'administrator', headers, body: JSON.stringify(body) });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body as { id: number; link: string; slug: string };
}

beforeAll(async () => {
  site = await openTestSite();
  const category = await post('/core/v2/categories', { name: 'Walls & roofs', description: 'What stands.' });
  const tag = await post('/core/v2/tags', { name: 'Tape' });
  for (let i = 1; i <= COUNT; i += 1) {
    const isPage = i % 4 === 0;
    const row = await post(isPage ? '/core/v2/pages' : '/core/v2/posts', {
      status: 'publish',
      title: `About <em>walls</em> & roofs ${i}`,
      slug: `row-${i}`,
      content: `<p>Text ${i}</p>`,
      excerpt: `Excerpt ${i}`,
      ...(!isPage && { categories: [category.id], tags: [tag.id] }),
    });
    pages.push([
      new URL(row.link).pathname,
      isPage ? `/en-us/row-${i}/` : `/en-us/journal/row-${i}/`,
      isPage ? 'page' : 'article',
      i % 5 === 0 ? TEXTS : [],
    ]);
    const type = isPage ? 'page' : 'post';
    if (i % 5 === 0)
      await post(`/seo/v1/settings/${type}/${row.id}`, {
        title: `"Own" title %%sep%% ${i}`,
        description: `Own <b>description</b> & more ${i}`,
        og_title: 'Shared',
        nosnippet: i % 10 === 0,
        index: i % 15 === 0 ? 'noindex' : 'default',
        canonical: i % 20 === 0 ? `https://acme.example/${i}` : '',
      });
  }
  pages.push([new URL(category.link).pathname, `/en-us/journal/category/${category.slug}/`, 'category', TEXTS]);
  pages.push([new URL(tag.link).pathname, '/en-us/journal/tag/tape/', 'tag']);
  pages.push(['/author/administrator/', '/en-us/journal/author/administrator/', 'author']);
  await post(`/seo/v1/settings/category/${category.id}`, { title: 'All of walls', description: 'Own' });

  const { publicUrl } = site.context;
  gate = await startFakeServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', publicUrl);
    if (pathname.endsWith('/seo/v1/heads') && !hasList)
      return sendJson(response, { code: 'rest_no_route', data: { status: 404 } }, { status: 404 });
    const { port } = new URL(publicUrl);
    const { url: path, method, headers } = request;
    httpRequest({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }).end();
  });
}, OPEN_TIMEOUT_MS);

afterAll(async () => {
  await gate?.close();
  await site?.close();
});

/** A project without a snapshot, whose publishing site is the origin behind the gate. */
async function startUpstream(): Promise<TestUpstream> {
  const { publicUrl } = site.context;
  const upstream = await startTestUpstream({
    assortment: () => [],
    mainLanguage: 'en-us',
    site: { name: 'Sortiment', url: ORIGIN.origin },
  });
  upstream.upstreams = {
    publishing: { siteUrl: publicUrl, restRoot: 'detect', namespaces: {}, connectTo: gate.origin },
  };
  return upstream;
}

/** Public head of a page at the origin. */
async function told(path: string): Promise<Record<string, unknown>> {
  const { publicUrl } = site.context;
  const { body } = await site.fetch(`/seo/v1/get_head?url=${encodeURIComponent(publicUrl + path)}`);
  return (body as { json: Record<string, unknown> }).json;
}

it.each([
  ['in bulk', true],
  ['address by address', false],
])('has the heads of our origin, read %s, on the pages that stand for its own', async (_, list) => {
  hasList = list;
  const upstream = await startUpstream();
  const from = gate.seen.length;
  const { problems, unreachable } = await upstream.sync();
  expect([problems, unreachable]).toEqual([[], []]);
  const asked = gate.seen.slice(from).filter(({ url }) => url.includes('get_head')).length;
  // In bulk, at most the home page is asked for, which servers know only then.
  expect(asked > 1).toBe(!list);
  const heads = upstream.read((snapshot) => {
    const { options } = upstream.settings;
    const source = { snapshot, options, languages: languageCodes(snapshot, options), warn: () => undefined };
    return new Map([...projectHeads(source)].map(({ id, data }) => [id, data]));
  });
  await upstream.close();
  const { publicUrl } = site.context;
  const here = (address: string): string => {
    const [page = '', fragment] = address.split('#');
    if (address.startsWith(`${publicUrl}/?s=`)) return `${ORIGIN.origin}/en-us/search/?q={search_term_string}`;
    const to = pages.find(([path]) => publicUrl + path === page)?.[1];
    if (to === undefined) return address;
    const isOfSite = page === `${publicUrl}/` && fragment?.startsWith('/');
    return `${ORIGIN.origin}${isOfSite ? '/' : to}${fragment === undefined ? '' : `#${fragment}`}`;
  };
  for (const [path, to, kind, written = []] of pages) {
    const own = pageHead({ kind, path: to, title: 'Own title', description: 'Own' }, SITE);
    const head = mergeHead(own, heads.get(to), { origin: ORIGIN });
    const builtIn = TEXTS.filter((key) => !written.includes(key));
    const comparison = { own, builtIn, here, siteName: 'Dach & Wand' };
    expect.soft(compareHeads(await told(path), head, comparison), path).toEqual([]);
  }
  expect([...heads].filter(([, { robots }]) => robots.includes('noindex'))).toHaveLength(Math.floor(COUNT / 15));
});
