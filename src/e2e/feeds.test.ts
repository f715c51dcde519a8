import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, inject, it } from 'vitest';
import type { FeedIndex, FeedProduct } from '#contracts/feed/feed-files.ts';
import { toGtin14 } from '#contracts/index.ts';
import { findRecords } from '#catalogue/search/find-records.ts';
import type { SearchFile } from '#catalogue/search/search-file.ts';
import { SearchIndex } from '#catalogue/search/search-index.ts';
import { product as productContract, type ProductRecord } from '#contracts/product/index.ts';

/** Reads the feeds like a shop that imports the range. */
const siteUrl = inject('siteUrl');
const dist = path.join(inject('projectFolder'), 'dist');
const text = (place: string) => readFileSync(path.join(dist, place), 'utf8');
const json = <T>(place: string): T => JSON.parse(text(place)) as T;
/** @param url URL on the site. */
const placeOf = (url: string) => decodeURIComponent(url.slice(siteUrl.length));

const { languages } = json<{ languages: { language: string; index: string }[] }>('feeds/index.json');

function readFeed(index: string): FeedProduct[] {
  const { files } = json<FeedIndex>(placeOf(index));
  return files
    .filter(({ format }) => format === 'ndjson')
    .flatMap(({ url }) => text(placeOf(url)).split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as FeedProduct);
}

const gtinsIn = (html: string, address: RegExp) => [...html.matchAll(address)].map(([, gtin = '']) => gtin);
const sorted = (gtins: Iterable<string>) => [...new Set(gtins)].toSorted();

describe.each(languages)('the feed in $language', ({ language, index }) => {
  const feed = readFeed(index);
  const translated = feed.filter((product) => product.language === language);

  it('has the products that the lists have, and those in the language are those of the sitemap', () => {
    const folder = path.join(dist, language, 'products');
    const lists = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('index.html'))
      .map((file) => readFileSync(path.join(folder, file), 'utf8'));
    const listed = lists.flatMap((html) => gtinsIn(html, new RegExp(`href="/${language}/p/[^"]*?(\\d{13})/"`, 'g')));
    expect(sorted(feed.map(({ gtin }) => gtin))).toEqual(sorted(listed));
    expect(json<FeedIndex>(placeOf(index)).products).toBe(feed.length);
    const sitemaps = readdirSync(dist).filter((file) => /^sitemap-\d+\.xml$/.test(file));
    const inSitemap = sitemaps.flatMap((file) =>
      gtinsIn(text(file), new RegExp(`<loc>${siteUrl}/${language}/p/[^<]*?(\\d{13})/</loc>`, 'g')),
    );
    expect(sorted(translated.map(({ gtin }) => gtin))).toEqual(sorted(inSitemap));
  });

  it('has the products that the search finds', () => {
    const index = new SearchIndex(language, json<SearchFile>(`_search/${language}/index.json`));
    const found = feed.map(({ gtin }) => findRecords(index, gtin).only?.product?.gtin);
    expect(found).toEqual(feed.map(({ gtin }) => gtin));
    expect(index.file.items).toHaveLength(feed.length);
  });

  it('leads to pages, pictures and documents that are there', () => {
    for (const product of feed) {
      expect(existsSync(path.join(dist, placeOf(product.url), 'index.html')), product.url).toBe(true);
      for (const field of ['image', 'banner', 'image_300', 'image_800', 'image_1600', 'datasheet'] as const) {
        const url = product[field];
        expect(url === '' || existsSync(path.join(dist, placeOf(url))), url).toBe(true);
      }
    }
  });

  it('has pictures as wide as their names say', async () => {
    for (const product of feed) {
      for (const width of [300, 800, 1600] as const) {
        const picture = await sharp(path.join(dist, placeOf(product[`image_${width}`]))).metadata();
        expect(picture.width, product[`image_${width}`]).toBe(width);
      }
    }
  });

  it('has a Digital Link for each product, and a record for each in the language', () => {
    for (const { gtin } of feed) {
      expect(text(`01/${toGtin14(gtin)}/index.html`)).toContain(gtin);
      expect(text(`01/${toGtin14(gtin)}/linkset.json`)).toContain(toGtin14(gtin));
    }
    for (const { gtin, name } of translated)
      expect(productContract.parse(json(`api/partner/v1/product/${gtin}/${language}.json`)).name).toBe(name);
  });
});

it('serves what Digital Links call master data: the answers of the interface, but for addresses and what is the maker’s own', async () => {
  const listed = await promisify(execFile)(
    process.execPath,
    ['scripts/origin.ts', 'token', 'list', '--reveal', '--json'],
    {
      cwd: inject('projectFolder'),
    },
  );
  const [token = ''] = /\b[0-9a-f]{40}\b/.exec(listed.stdout) ?? [];
  const linksets = readdirSync(path.join(dist, '01')).map((gtin) => text(`01/${gtin}/linkset.json`));
  const named = linksets.flatMap((linkset) => {
    const [context] = (JSON.parse(linkset) as { linkset: Record<string, { href: string }[]>[] }).linkset;
    return (context?.['https://ref.gs1.org/voc/masterData'] ?? []).map(({ href }) => href);
  });
  expect(named).toHaveLength(72);
  const ask = async (address: string): Promise<ProductRecord> => {
    const answer = await fetch(address, { headers: { authorization: `Token ${token}` } });
    expect(answer.status, address).toBe(200);
    return (await answer.json()) as ProductRecord;
  };
  for (const address of named) {
    const [, gtin, language] = /(\d{13})\/([^/]+)\.json$/.exec(address) ?? [];
    const [served, answered] = [
      await ask(address),
      await ask(`${siteUrl}/api/partner/v1/product/${gtin}/?language=${language}`),
    ];
    expect(served).toMatchObject({ abas_id: '' });
    const { abas_id: _own, ...known } = answered;
    for (const [field, value] of Object.entries(known)) {
      const given: unknown = served[field as keyof ProductRecord];
      const isFile = typeof value === 'string' && /^https?:/.test(value);
      if (isFile) expect(String(given), field).toMatch(new RegExp(`^${siteUrl}/(_images|documents)/`));
      else expect(given, `${field} of ${address}`).toEqual(value);
    }
  }
});
