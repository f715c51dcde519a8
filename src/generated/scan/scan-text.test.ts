import { describe, expect, it } from 'vitest';
import { readHead, findReferences } from './read-head.ts';

const PAGE = `<html><head><link rel="canonical" href="https://x.example/de-de/"><link rel="alternate" hreflang="de-DE" href="https://x.example/de-de/">
   <link hreflang='en-GB' rel='alternate' href='https://x.example/en-gb/?a=1&amp;b=2'><link rel="alternate" type="application/rss+xml" href="/rss.xml">
   <script type="application/ld+json">{"@type":"BreadcrumbList"}</script><script type="application/ld+json">{"image":[oops</script>
   <script type="application/ld+json">{"@graph":[{"@type":"ItemPage","image":{"@id":"#a"}},{"@type":"ImageObject","contentUrl":"https://x.example/a.jpg"},{"@type":"Product","image":["https://x.example/_images/0123456789abcdef-1200.jpg"]}]}</script>
   <meta property="og:image" content="https://x.example/_images/0123456789abcdef-1200.jpg"></head>
   <body><link rel="alternate" hreflang="xx" href="nowhere"><img srcset="/_images/0123456789abcdef-320.avif 320w, /_images/0123456789abcdef-640.avif 640w">
   <a href="/documents/1a2b3c4d-sheet.pdf">PDF</a></body></html>`;

describe('what was built', () => {
  it('says of itself where it stands, in which languages, and what its pictures are', () => {
    expect(readHead(PAGE)).toEqual({
      canonical: 'https://x.example/de-de/',
      noindex: false,
      alternates: [
        { lang: 'de-DE', url: 'https://x.example/de-de/' },
        { lang: 'en-GB', url: 'https://x.example/en-gb/?a=1&b=2' },
      ],
      images: ['https://x.example/a.jpg', 'https://x.example/_images/0123456789abcdef-1200.jpg'],
    });
    expect(readHead('<head><meta name="robots" content="noindex"></head>').noindex).toBe(true);
  });

  it('names the images and documents that it needs', () => {
    expect(findReferences(PAGE).toSorted()).toEqual([
      '/_images/0123456789abcdef-1200.jpg',
      '/_images/0123456789abcdef-320.avif',
      '/_images/0123456789abcdef-640.avif',
      '/documents/1a2b3c4d-sheet.pdf',
    ]);
  });
});
