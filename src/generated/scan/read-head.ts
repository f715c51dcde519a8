import { z } from 'zod';
import { findSpans, findTags } from '#contracts/index.ts';
import { parseAttributes } from '#contracts/html/html-text.ts';
import { tryParse } from '#contracts/scan-text.ts';
import { listImagePaths } from '#catalogue/images/image-variants.ts';

/** Machine-readable metadata of a page. */
export interface HeadMetadata {
  /** Absolute URL in `<link rel="canonical">`. */
  canonical: string | undefined;
  /** True if robots may not index the page. */
  noindex: boolean;
  /** Absolute URLs of the page and its translations, by `hreflang`. */
  alternates: { lang: string; url: string }[];
  /** Absolute URLs of the images of the page's topic. */
  images: string[];
}

export function readHead(html: string): HeadMetadata {
  const end = html.indexOf('</head>');
  const head = end < 0 ? html : html.slice(0, end);
  const links = readTags(head, /<link\s(?=[^<]*(?:canonical|hreflang))/);
  const robots = readTags(head, /<meta\s(?=[^<]*robots)/).find(({ name }) => name === 'robots')?.['content'] ?? '';
  return {
    canonical: links.find(({ rel }) => rel === 'canonical')?.['href'],
    noindex: /\b(noindex|none)\b/i.test(robots),
    alternates: links.flatMap(({ rel, hreflang, href }) =>
      rel === 'alternate' && hreflang && href ? { lang: hreflang, url: href } : [],
    ),
    images: readImages(head),
  };
}

/** A node with images, or an image node. */
const pictured = z.union([
  z.object({ image: z.array(z.string()) }).transform(({ image }) => image),
  z.object({ '@type': z.literal('ImageObject'), contentUrl: z.string() }).transform(({ contentUrl }) => [contentUrl]),
]);
/** A block with a graph. A block may also contain one node. */
const block = z.object({ '@graph': z.array(z.unknown()) });

/** Reads images from JSON-LD. Most pages have none, so a quick check comes first. */
function readImages(head: string): string[] {
  if (!/"image":\[|"ImageObject"/.test(head)) return [];
  return [...findSpans(head, /<script type="application\/ld\+json">/, /<\/script>/)].flatMap(({ inner }) => {
    // Local pages may contain any text.
    const read = tryParse(inner);
    const graph = block.safeParse(read);
    return (graph.success ? graph.data['@graph'] : [read]).flatMap((node) => pictured.safeParse(node).data ?? []);
  });
}

/** @param opening Pattern of relevant tags, which skips most of the head. */
function readTags(html: string, opening: RegExp) {
  return [...findTags(html, opening)].map(({ source }) => parseAttributes(source));
}

/** Returns the distinct root-relative paths of images, documents and Vite assets that a text refers to. */
export function findReferences(text: string): string[] {
  const assets = new Set(text.match(/\/_astro\/[^"'\s)<>?#,\\]+/g));
  const documents = new Set(text.match(/\/documents\/[0-9a-f]{8}-[a-z0-9-]+\.[a-z0-9]{2,5}/g));
  return [...listImagePaths(text), ...documents, ...assets];
}

/** @param json References as stored in the manifest. Undefined for unknown files. */
export function parseReferences(json: string | undefined): string[] {
  return json === undefined ? [] : (JSON.parse(json) as string[]);
}

/** Returns the data of a page that the next build needs instead of reading it again. */
export function scanPage(file: string, text: string): Pick<PageScan, 'head' | 'references'> {
  return {
    head: file.endsWith('.html') ? JSON.stringify(readHead(text)) : '',
    references: JSON.stringify(findReferences(text)),
  };
}

export interface PageScan {
  bytes: number;
  /** `ScannedHead` as JSON. Empty for feeds and other files. */
  head: string;
  /** References as returned by `findReferences`, in JSON. */
  references: string;
}
