import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, inject, it } from 'vitest';
import { checkLinks } from './check-links.ts';
import { listHtmlPages } from './list-html-pages.ts';

const siteUrl = inject('siteUrl');
const dist = path.join(inject('projectFolder'), 'dist');
const pages = await listHtmlPages(dist);
const html = (page: string): Promise<string> =>
  readFile(path.join(dist, page.endsWith('/') ? `${page}index.html` : page), 'utf8');

const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'];

describe('the catalogue that npm start makes', () => {
  it('has a page for each of 24 products in 3 languages', () => {
    expect(pages.filter((page) => /^\/[^/]+\/p\/[^/]+\/$/.test(page))).toHaveLength(72);
  });

  it('reports the health of the origin that it mounts', async () => {
    const answer = await fetch(`${siteUrl}/healthz`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('has every post and page of the publishing site in its language', async () => {
    for (const kind of ['posts', 'pages']) {
      const answer = await fetch(`${siteUrl}/rest/core/v2/${kind}?per_page=100`);
      const rows = (await answer.json()) as { slug: string; title: { rendered: string } }[];
      expect(rows.length).toBe(Number(answer.headers.get('x-wp-total')));
      expect(rows.length).toBe(kind === 'posts' ? 36 : 18);
      for (const { slug } of rows) {
        const bare = slug.replace(/^(en|fr)-/, '');
        expect(
          pages.some((page) => page.endsWith(`/${slug}/`) || page.endsWith(`/${bare}/`)),
          slug,
        ).toBe(true);
      }
    }
  });

  it('answers 200 on every link of its own, pages, images and documents', async () => {
    const { urls, dead } = await checkLinks(siteUrl, ['/', ...LANGUAGES.map((language) => `/${language}/`)]);
    expect(dead).toEqual([]);
    expect(urls.filter((url) => url.endsWith('.pdf')).length).toBeGreaterThan(100);
  });

  it('offers the three documents of a product as PDFs', async () => {
    const page = pages.find((name) => name.startsWith('/en-gb/p/') && name.endsWith('9524010000184/'));
    const links = [...(await html(page ?? '')).matchAll(/href="([^"]+\.pdf)"/g)].map(([, href = '']) => href);
    expect(new Set(links).size).toBeGreaterThanOrEqual(3);
    for (const href of new Set(links)) {
      const answer = await fetch(new URL(href, siteUrl));
      expect(answer.headers.get('content-type')).toBe('application/pdf');
      expect((await answer.text()).slice(0, 5)).toBe('%PDF-');
    }
  });

  it('shows declared values exactly as they were declared', async () => {
    const page = pages.find((name) => name.startsWith('/de-de/p/') && name.endsWith('9524010000016/'));
    const text = await html(page ?? '');
    for (const value of ['0,25 – 25 m', '120 / 95 N/5 cm', '90 g/m²', '-40 °C … +80 °C']) expect(text).toContain(value);
  });

  it('names real translations only, each of them back, and itself', async () => {
    for (const page of pages.filter((name) => /^\/[a-z]{2}-[a-z]{2}\//.test(name))) {
      const alternates = [
        ...(await html(page)).matchAll(/<link[^>]*rel="alternate"[^>]*hreflang="([^"]+)"[^>]*href="([^"]+)"/g),
      ];
      if (alternates.length === 0) continue;
      expect(
        alternates.map(([, , href = '']) => new URL(href).pathname),
        page,
      ).toContain(page);
      for (const [, , href = ''] of alternates) {
        const target = new URL(href).pathname;
        expect(pages, `${page} -> ${target}`).toContain(target);
        expect(await html(target), `${target} -> ${page}`).toContain(`${siteUrl}${page}"`);
      }
    }
  });

  it('describes products to machines', async () => {
    const page = pages.find((name) => name.startsWith('/de-de/p/') && name.endsWith('9524010000016/')) ?? '';
    const blocks = [
      ...(await html(page)).matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs),
    ].flatMap(([, json = '']) => JSON.parse(json) as object);
    const product = blocks
      .flatMap((block) => ('@graph' in block ? (block['@graph'] as object[]) : [block]))
      .find((block) => '@type' in block && block['@type'] === 'Product');
    expect(product).toMatchObject({ gtin13: '9524010000016', sku: 'HW-10110', name: 'DIFFRANA Vario 75' });
    expect(product).toMatchObject({
      offers: { price: '142.50', priceSpecification: { valueAddedTaxIncluded: false } },
    });
  });

  it('has a sitemap of its indexable pages with alternates, and a feed for each language', async () => {
    const index = await (await fetch(`${siteUrl}/sitemap-index.xml`)).text();
    const maps = await Promise.all(
      [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(async ([, url = '']) => (await fetch(url)).text()),
    );
    const listed = maps.join('').match(/<url>/g) ?? [];
    expect(listed.length).toBeGreaterThan(72 + 36 + 18);
    expect(maps.join('')).toMatch(/hreflang="(en-GB|en-gb)"/);
    for (const language of LANGUAGES) {
      const feed = await (await fetch(`${siteUrl}/${language}/rss.xml`)).text();
      expect(feed.match(/<item>/g)?.length).toBe(12);
    }
  });

  it('tells shops what changed, in two forms that every page names', async () => {
    const json = await fetch(`${siteUrl}/changes.json`);
    const feed = (await json.json()) as { version: string; items: { _sortiment: object }[] };
    const { digest } = JSON.parse(await readFile(path.join(dist, 'build.json'), 'utf8')) as { digest: string };
    expect(feed).toMatchObject({ version: 'https://jsonfeed.org/version/1.1', feed_url: `${siteUrl}/changes.json` });
    expect(feed.items[0]?._sortiment).toMatchObject({ digest, complete: false });
    expect(XMLValidator.validate(await (await fetch(`${siteUrl}/changes.xml`)).text())).toBe(true);
    for (const [page, title] of [
      ['/', 'Änderungen'],
      ['/en-gb/', 'changes'],
      ['/404.html', 'Änderungen'],
    ] as const)
      expect(await html(page)).toContain(
        `type="application/feed+json" title="Haldenwerk: ${title}" href="/changes.json"`,
      );
    expect(feed).toMatchObject({ title: 'Haldenwerk: Änderungen', language: 'de-DE' });
  });

  it.each([
    ['/fr-fr/p/rien/', 'fr-FR', ['fr-fr']],
    ['/nothing/', 'de-DE', ['de-de', 'en-gb', 'fr-fr']],
  ])('answers %s with a 404 page that searches in its language', async (pathname, lang, languages) => {
    const answer = await fetch(siteUrl + pathname);
    expect(answer.status).toBe(404);
    const text = await answer.text();
    expect(text).toContain(`<html lang="${lang}"`);
    const [, main = ''] = text.split('<main');
    for (const language of ['de-de', 'en-gb', 'fr-fr'])
      expect(main.includes(`action="/${language}/search/"`)).toBe(languages.includes(language));
  });
});
