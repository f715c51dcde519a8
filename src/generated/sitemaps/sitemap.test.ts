import { describe, expect, it } from 'vitest';
import { findParts, hashBucket } from '#files/hash-parts.ts';
import { sitemapAddress, sitemapEntry, sitemapRanges } from './sitemap.ts';

const url = 'https://x.example/de-de/';
const head = { canonical: url, noindex: false, alternates: [], images: [] };

describe('the sitemap', () => {
  it('gives the alternates that the page names, and the date of its content', () => {
    const alternates = [
      { lang: 'de-DE', url },
      { lang: 'en-GB', url: 'https://x.example/en-gb/?a&b' },
    ];
    expect(sitemapEntry(url, { ...head, alternates }, '2026-11-20T08:00:00.000Z')).toBe(
      `<url><loc>${url}</loc><lastmod>2026-11-20T08:00:00.000Z</lastmod>` +
        `<xhtml:link rel="alternate" hreflang="de-DE" href="${url}"/>` +
        `<xhtml:link rel="alternate" hreflang="en-GB" href="https://x.example/en-gb/?a&amp;b"/></url>`,
    );
  });

  it('names no alternates where there is only the page itself', () => {
    expect(sitemapEntry(url, { ...head, alternates: [{ lang: 'de-DE', url }] }, undefined)).toBe(
      `<url><loc>${url}</loc></url>`,
    );
  });

  it('names the pictures of what a page is about', () => {
    expect(sitemapEntry(url, { ...head, images: ['https://x.example/a.jpg?b&c'] }, undefined)).toBe(
      `<url><loc>${url}</loc><image:image><image:loc>https://x.example/a.jpg?b&amp;c</image:loc></image:image></url>`,
    );
  });

  it.each([
    ['asks to be left out', { ...head, noindex: true }],
    ['stands for another', { ...head, canonical: 'https://x.example/other/' }],
  ])('leaves out a page that %s', (_, page) => {
    expect(sitemapEntry(url, page, undefined)).toBe('');
  });

  it('has addresses as browsers ask for them, and none for what is no page of its own', () => {
    expect(sitemapAddress('de-de/клей/index.html', 'https://x.example')).toBe(
      'https://x.example/de-de/%D0%BA%D0%BB%D0%B5%D0%B9/',
    );
    expect(sitemapAddress('index.html', 'https://x.example')).toBe('https://x.example/');
    expect(sitemapAddress('404.html', 'https://x.example')).toBeUndefined();
  });

  it('is cut into files that hold every page once, few enough for search engines', () => {
    const files = Array.from({ length: 5000 }, (_, i) => `de-de/p/product-${i}/index.html`);
    const ranges = sitemapRanges(files.length);
    expect(ranges.map(({ name }) => name)).toEqual(Array.from({ length: 32 }, (_, i) => `sitemap-${i}.xml`));
    const places = files.map(hashBucket);
    const counts = ranges.map(({ from, to }) => places.filter((place) => place >= from && place < to).length);
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(5000);
    expect(Math.max(...counts)).toBeLessThan(250);
    expect(findParts(ranges, [places[7] ?? 0])).toHaveLength(1);
    expect(sitemapRanges(0)).toHaveLength(1);
    expect(sitemapRanges(1000)).toHaveLength(1);
    expect(sitemapRanges(3_000_000).length).toBeLessThan(50_000);
  });
});
