import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkedData, serializeLinkedData } from '#contracts/seo/linked-data.ts';
import { pageHead, type HeadSite, type PageHead } from '#catalogue/seo/head.ts';
import { mergeHead } from '#catalogue/seo/merge-head.ts';
import { headRecord, type HeadRecord } from '#contracts/synced/head-record.ts';
import type { PageKind } from '#contracts/seo/templates.ts';
import type { RecordedHead } from '#contracts/seo/testing/recorded-heads.ts';
import { languageCodes, entryData } from '#catalogue/read-model/with-snapshot.ts';
import { addHeads, type TestHeads } from '#sync/testing/test-heads.ts';
import { createPost, startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { findHiddenPaths, projectHeads } from './project-heads.ts';
import { projectPages, projectPosts } from './articles.ts';
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
  page: (number) => `Page ${number}`,
  verification: {},
  links: [],
};

let upstream: TestUpstream;
let test: TestHeads;

beforeEach(async () => {
  upstream = await startTestUpstream({
    assortment: () => [],
    mainLanguage: 'en-us',
    site: { name: 'Sortiment', url: ORIGIN.origin },
  });
  delete upstream.upstreams.product;
  test = await addHeads(upstream);
});
afterEach(() => upstream.close());

/** Reads the snapshot as a build does. */
function project() {
  return upstream.read((snapshot) => {
    const { options } = upstream.settings;
    const source = { snapshot, options, languages: languageCodes(snapshot, options), warn: () => undefined };
    return {
      heads: new Map([...projectHeads(source)].map(({ id, data }) => [id, headRecord.parse(data)])),
      hidden: findHiddenPaths(source),
      posts: [...projectPosts(source)].map(entryData),
      pages: [...projectPages(source)].map(entryData),
    };
  });
}

/** Pages that stand on this site for those of the publishing site. */
const PAGES: readonly [kind: RecordedHead['kind'], path: string, to: string, page: PageKind][] = [
  ['home', '/', '/en-us/', 'home'],
  ['post', '/barcode-lookup-launches/', '/en-us/journal/barcode-lookup-launches/', 'article'],
  ['post', '/written-by-the-author/', '/en-us/journal/written-by-the-author/', 'article'],
  ['post', '/only-a-picture-in-the-text/', '/en-us/journal/only-a-picture-in-the-text/', 'article'],
  ['page', '/about/', '/en-us/about/', 'page'],
  ['page', '/about/team/', '/en-us/about/team/', 'page'],
  ['category', '/category/news/', '/en-us/journal/category/news/', 'category'],
  ['tag', '/tag/api/', '/en-us/journal/tag/api/', 'tag'],
  ['author', '/author/author/', '/en-us/journal/author/author/', 'author'],
];

/** The head of a page without that of the publishing site. */
const ownHead = (path: string, kind: PageKind): PageHead =>
  pageHead({ kind, path, title: 'Own title', description: 'Own description' }, SITE);

/** The head of a page as a build writes it. */
function built(heads: ReadonlyMap<string, HeadRecord>, path: string, kind: PageKind): PageHead {
  return mergeHead(ownHead(path, kind), heads.get(path), { origin: ORIGIN });
}

it('know the publishing site by all of its addresses', async () => {
  upstream.index = { home: 'https://www.example.com', url: 'https://files.example.com' };
  const { origin } = upstream.server;
  for (const [i, { json }] of test.heads.entries()) {
    const other = i % 2 === 0 ? 'https://www.example.com' : 'https://files.example.com';
    Object.assign(json, JSON.parse(JSON.stringify(json).replaceAll(origin, other)));
  }
  await upstream.sync();
  const { heads } = project();
  expect(heads.size).toBeGreaterThan(3);
  for (const head of heads.values()) {
    expect(head.canonical).toBe('');
    const names = [...JSON.stringify(head.graph).matchAll(/"@id":"([^"]*)"/g)].map(([, name = '']) => name);
    expect(names.filter((name) => !name.startsWith('site:'))).toEqual([]);
  }
});

describe.each([
  ['in bulk', { list: true, one: true }],
  ['address by address', { list: false, one: true }],
])('heads of a foreign server, read %s', (_, routes) => {
  beforeEach(async () => {
    test.routes = routes;
    // So that the archives have something to show.
    for (const post of upstream.lists['posts'] ?? []) Object.assign(post, { categories: [31], tags: [32], author: 3 });
    Object.assign(upstream.lists['pages']?.[1] ?? {}, { parent: 21 });
    await upstream.sync();
  });

  it('arrive at the pages that stand for them: title, description, robots, canonical, Open Graph, linked data', () => {
    const { heads } = project();
    const { origin } = upstream.server;
    const pictures = heads.get('/en-us/journal/only-a-picture-in-the-text/')?.openGraph.images ?? [];
    const [, digest = ''] = /_images\/([\da-f]+)-/.exec(pictures[0]?.url ?? '') ?? [];
    const here = (address: string): string => {
      if (address.startsWith(`${origin}/uploads/2026/11/portrait.jpg`))
        return `${ORIGIN.origin}/_images/${digest}-80.jpg`;
      if (address.includes('?s=')) return `${ORIGIN.origin}/en-us/search/?q={search_term_string}`;
      const [page = '', fragment] = address.split('#');
      const to = PAGES.find(([, path]) => origin + path === page)?.[2];
      if (to === undefined) return address;
      const isOfSite = page === `${origin}/` && fragment?.startsWith('/');
      return `${ORIGIN.origin}${isOfSite ? '/' : to}${fragment === undefined ? '' : `#${fragment}`}`;
    };
    for (const [kind, path, to, page] of PAGES) {
      const recorded = test.heads.find((head) => head.url === origin + path);
      expect.soft(recorded?.kind, path).toBe(kind);
      // The picture comes in the size that this site has.
      const json = JSON.parse(
        JSON.stringify(recorded?.json).replaceAll('"width":800,"height":1200', '"width":80,"height":120'),
      ) as Record<string, unknown>;
      // Descriptions of terms are written.
      const builtIn = ['title', 'description', 'og_title', ...(kind === 'category' ? [] : ['og_description'])];
      const comparison = { own: ownHead(to, page), builtIn, here, siteName: 'Signal & Noise' };
      expect.soft(compareHeads(json, built(heads, to, page), comparison), path).toEqual([]);
    }
  });

  it('say nothing of a missing page, which stays out of search engines as the site has it', () => {
    const { heads } = project();
    expect([...heads.keys()].toSorted()).toEqual(PAGES.map(([, , to]) => to).toSorted());
    const head = mergeHead(
      pageHead({ kind: 'not-found', path: '/404.html', title: 'Nothing here', noindex: true }, SITE),
      heads.get('/404.html'),
      { origin: ORIGIN },
    );
    const { json } = test.of('missing');
    const { robots } = json as { robots: Record<string, string> };
    expect(head.robots).toEqual(Object.values(robots));
    expect([head.canonical, head.graph]).toEqual([undefined, []]);
  });
});

it('leaves what the catalogue says where the server says nothing, and what only the catalogue knows', async () => {
  test.of('page').json = {
    title: '',
    robots: {},
    schema: { '@graph': [{ '@type': 'WebPage', '@id': test.of('page').url }] },
  };
  await upstream.sync();
  const { heads } = project();
  const path = '/en-us/about/';
  const product = { '@type': 'Product', '@id': 'https://site.example/p#product' };
  const own = pageHead({ kind: 'page', path, title: 'About', description: 'Own', graph: [product] }, SITE);
  const merged = mergeHead(own, heads.get(path), { origin: ORIGIN });
  expect(merged).toMatchObject({ title: own.title, description: 'Own', robots: own.robots, canonical: own.canonical });
  expect(merged.graph).toEqual([
    {
      '@type': 'WebPage',
      '@id': `https://site.example${path}`,
      name: 'About',
      description: 'Own',
      mainEntity: { '@id': product['@id'] },
    },
    product,
  ]);
});

it('keeps a canonical address of another host, and leads one of this site to its page here', async () => {
  const { origin } = upstream.server;
  const [post, page, author] = [test.of('post'), test.of('page'), test.of('category')];
  post.json['canonical'] = 'https://acme.example/original/';
  page.json['canonical'] = `${origin}/barcode-lookup-launches/`;
  author.json['canonical'] = `${origin}/nothing-here/`;
  for (const row of upstream.lists['posts'] ?? []) Object.assign(row, { categories: [31] });
  await upstream.sync();
  const { heads } = project();
  const canonical = (path: string, kind: PageKind) => built(heads, path, kind).canonical;
  expect(canonical('/en-us/journal/barcode-lookup-launches/', 'article')).toBe('https://acme.example/original/');
  expect(canonical('/en-us/about/', 'page')).toBe('https://site.example/en-us/journal/barcode-lookup-launches/');
  expect(canonical('/en-us/journal/category/news/', 'category')).toBe(
    'https://site.example/en-us/journal/category/news/',
  );
});

it('hides what an editor hides: no canonical address, no versions in other languages', async () => {
  test.of('post').json['robots'] = { index: 'noindex', follow: 'nofollow' };
  await upstream.sync();
  const { heads, hidden } = project();
  const path = '/en-us/journal/barcode-lookup-launches/';
  expect([...hidden]).toEqual([path]);
  expect(built(heads, path, 'article')).toMatchObject({
    robots: ['noindex', 'nofollow'],
    canonical: undefined,
    alternates: [],
  });
});

it('sends readers of a redirected article on: it has no page, and links to it lead where it leads', async () => {
  const { origin } = upstream.server;
  test.settings.set('post/11', { is_cornerstone: false, breadcrumb_title: '', redirect: `${origin}/about/` });
  test.settings.set('page/22', {
    is_cornerstone: false,
    breadcrumb_title: '',
    redirect: 'https://acme.example/a?b=%2F',
  });
  const links = `<p><a href="${origin}/barcode-lookup-launches/">one</a> <a href="${origin}/about/team/">two</a></p>`;
  upstream.lists['posts']?.push(
    createPost({ id: 14, slug: 'links', link: `${origin}/links/`, content: { rendered: links, protected: false } }),
  );
  await upstream.sync();
  const { posts, pages } = project();
  expect(posts.map(({ path }) => path)).not.toContain('/en-us/journal/barcode-lookup-launches/');
  expect(pages.map(({ path }) => path)).toEqual(['/en-us/about/']);
  expect(posts.find(({ sourceId }) => sourceId === 14)?.['html']).toMatch(
    /href="\/en-us\/about\/".*href="https:\/\/acme\.example\/a\?b=%2F"/,
  );
});

it('lets nothing of a hostile head into a page: no markup ends linked data, and no address runs', async () => {
  const evil = '</script><script>alert(1)</script>\u2028"><img src=x onerror=alert(1)>';
  const links = ['javascript:alert(1)', 'data:text/html,<b>', 'vbscript:x', `https://acme.example/${evil}`, evil];
  const every = Object.fromEntries(
    [
      'title',
      'description',
      'canonical',
      'og_title',
      'og_url',
      'og_type',
      'author',
      'twitter_image',
      'twitter_site',
    ].map((name, i) => [name, links[i % links.length]]),
  );
  test.of('post').json = {
    ...every,
    // Texts, not addresses: nothing opens them.
    title: evil,
    description: evil,
    robots: { index: evil, follow: 'noindex"><script>' },
    og_image: links.map((url) => ({ url, type: evil })),
    article_author: links[0],
    twitter_misc: { [evil]: evil },
    schema: {
      '@graph': links.map((link) => ({
        '@type': 'WebPage',
        '@id': link,
        [evil]: evil,
        name: evil,
        url: link,
        sameAs: [link],
      })),
    },
  };
  await upstream.sync();
  const { heads } = project();
  const path = '/en-us/journal/barcode-lookup-launches/';
  const head = built(heads, path, 'article');
  expect(serializeLinkedData(linkedData(head.graph))).not.toMatch(/<|\u2028|javascript:|vbscript:|data:text/);
  const { canonical, openGraph, twitter } = head;
  const addresses = [canonical, openGraph.url, ...openGraph.images.map(({ src }) => src), twitter['image']];
  for (const address of addresses.filter((one) => one !== undefined))
    expect(address).toMatch(/^https:\/\/site\.example\/[\w/.-]*$/);
  expect(head.robots.join()).toMatch(/^[\w:,-]+$/);
  expect(JSON.stringify([head.title, head.openGraph.title, head.metas])).not.toMatch(/<script|onerror/);
});

describe('pictures of foreign hosts', () => {
  const tracker = 'https://secure.avatars.example/avatar/0123?s=96';
  const picture = { '@type': 'ImageObject', url: tracker, contentUrl: tracker };
  beforeEach(() => {
    const { url } = test.of('post');
    test.of('post').json = {
      og_image: [{ url: tracker, width: 96, height: 96 }],
      twitter_image: tracker,
      schema: {
        '@graph': [
          { '@type': 'WebPage', '@id': url, image: { '@id': `${url}#primaryimage` }, thumbnailUrl: tracker },
          {
            '@type': 'Article',
            '@id': `${url}#article`,
            image: [tracker, picture],
            author: { name: 'A', image: tracker },
          },
          { ...picture, '@id': `${url}#primaryimage` },
          { '@type': 'Person', '@id': `${upstream.server.origin}/#/schema/person/1`, name: 'A', image: picture },
          { '@type': 'Organization', '@id': `${upstream.server.origin}/#organization`, name: 'A', logo: picture },
        ],
      },
    };
  });
  const path = '/en-us/journal/barcode-lookup-launches/';
  const merged = () => {
    const image = { src: '/_images/own.jpg', width: 1200, height: 630 };
    const own = pageHead({ kind: 'article', path, title: 'Own', description: 'Own', image }, SITE);
    return mergeHead(own, project().heads.get(path), { origin: ORIGIN });
  };

  it('are in no head: the page shows its own', async () => {
    await upstream.sync();
    const { heads } = project();
    expect(JSON.stringify([...heads])).not.toContain('avatars.example');
    expect(merged().openGraph.images).toMatchObject([{ src: 'https://site.example/_images/own.jpg', width: 1200 }]);
    expect(merged().graph.map((node) => node['@type'])).toEqual(['WebPage', 'Article', 'Person', 'Organization']);
  });

  it('stay where the options name the host', async () => {
    upstream.settings.options.mediaHosts.push('Secure.Avatars.example');
    await upstream.sync();
    expect(merged().openGraph.images).toMatchObject([{ src: tracker }]);
    expect(JSON.stringify(merged().graph)).toContain(tracker);
  });
});

it('has the home pages of all languages say their own alike, in linked data too', async () => {
  Object.assign(upstream.settings.options, { languages: ['de-de', 'en-gb', 'fr-fr'], mainLanguage: 'de-de' });
  await upstream.sync();
  const { heads } = project();
  const [first, ...others] = ['de-de', 'en-gb', 'fr-fr'].map((language) => {
    const path = `/${language}/`;
    const image = { src: '/_images/own.jpg' };
    const own = pageHead({ kind: 'home', path, title: 'Own', description: 'Own description', image }, SITE);
    const head = mergeHead(own, heads.get(path), { origin: ORIGIN });
    return JSON.stringify(head)
      .replaceAll(language, '')
      .replaceAll(/"inLanguage":"[^"]*",?/g, '');
  });
  expect(first).toContain('"description":"Own description"');
  expect(others).toEqual([first, first]);
});
