import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanPages } from './scan-pages.ts';

const dist = mkdtempSync(path.join(tmpdir(), 'sortiment-survey-'));
const put = (file: string, content: string): void => {
  mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
  writeFileSync(path.join(dist, file), content);
};
put(
  'de-de/index.html',
  `<html><head><link rel="canonical" href="https://x.example/de-de/"><link rel="alternate" hreflang="de-DE" href="https://x.example/de-de/">
   <link hreflang='en-GB' rel='alternate' href='https://x.example/en-gb/?a=1&amp;b=2'><link rel="alternate" type="application/rss+xml" href="/rss.xml">
   <script type="application/ld+json">{"@type":"BreadcrumbList"}</script><script type="application/ld+json">{"image":[oops</script>
   <script type="application/ld+json">{"@graph":[{"@type":"ItemPage","image":{"@id":"#a"}},{"@type":"ImageObject","contentUrl":"https://x.example/a.jpg"},{"@type":"Product","image":["https://x.example/_images/0123456789abcdef-1200.jpg"]}]}</script>
   <meta property="og:image" content="https://x.example/_images/0123456789abcdef-1200.jpg"></head>
   <body><link rel="alternate" hreflang="xx" href="nowhere"><img srcset="/_images/0123456789abcdef-320.avif 320w, /_images/0123456789abcdef-640.avif 640w">
   <a href="/documents/1a2b3c4d-sheet.pdf">PDF</a></body></html>`,
);
put('fr-fr/p/x/index.html', '<head><meta name="robots" content="noindex"></head>');
put('404.html', '<head></head>');
put('de-de/rss.xml', '<rss>/_images/0123456789abcdef-320.avif</rss>');

describe('what was built', () => {
  it('tells which pages there are, what they say of themselves, and which files they need', async () => {
    const { heads, images, documents } = await scanPages(dist);
    expect([...heads.keys()].toSorted()).toEqual(['/404.html', '/de-de/', '/fr-fr/p/x/']);
    expect(heads.get('/de-de/')).toEqual({
      canonical: 'https://x.example/de-de/',
      noindex: false,
      alternates: [
        { lang: 'de-DE', url: 'https://x.example/de-de/' },
        { lang: 'en-GB', url: 'https://x.example/en-gb/?a=1&b=2' },
      ],
      images: ['https://x.example/a.jpg', 'https://x.example/_images/0123456789abcdef-1200.jpg'],
    });
    expect(heads.get('/fr-fr/p/x/')?.noindex).toBe(true);
    expect(images.map(({ path: place }) => place).toSorted()).toEqual([
      '/_images/0123456789abcdef-1200.jpg',
      '/_images/0123456789abcdef-320.avif',
      '/_images/0123456789abcdef-640.avif',
    ]);
    expect(documents).toEqual(['/documents/1a2b3c4d-sheet.pdf']);
  });
});
