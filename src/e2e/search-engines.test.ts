import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, it } from 'vitest';
import { auditSearch } from './audit-search.ts';
import { pagesBelow } from './pages-below.ts';
import { readPage } from './read-page.ts';

const dist = path.join(inject('projectFolder'), 'dist');
const siteUrl = inject('siteUrl');

const sitemapXml = async (): Promise<string[]> => {
  const files = (await readdir(dist)).filter((file) => /^sitemap-\d+\.xml$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(path.join(dist, file), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url));
};
const pages = await Promise.all(
  (await pagesBelow(dist)).map(async (page) =>
    readPage(page, await readFile(path.join(dist, page.endsWith('/') ? `${page}index.html` : page), 'utf8')),
  ),
);
const addresses = await sitemapXml();

it('tells search engines of each page what it is, and of its translations what they tell of it', () => {
  const { problems, looked } = auditSearch(pages, addresses, siteUrl);
  expect(problems).toEqual([]);
  expect(Object.entries(looked).filter(([, count]) => count < 70)).toEqual([]);
});

it('would not pass with a translation that is not told back, or a page that says it is another one', () => {
  const changed = pages.map((page) => {
    if (page.path === '/fr-fr/products/') return { ...page, alternates: [] };
    return page.path === '/de-de/' ? { ...page, canonicals: [`${siteUrl}/en-gb/`] } : page;
  });
  const { problems } = auditSearch(changed, addresses, siteUrl);
  expect(problems).toContain(`/de-de/products/: is not named by ${siteUrl}/fr-fr/products/ in the same way`);
  expect(problems).toContain(`/de-de/: gives ${siteUrl}/en-gb/ as its address`);
});
