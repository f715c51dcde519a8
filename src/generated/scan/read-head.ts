import { z } from 'zod';
import { findSpans, findTags } from '#contracts/index.ts';

/** What a page says of itself to machines. */
export interface ScannedHead {
  /** Absolute address, as `<link rel="canonical">` gives it. */
  canonical: string | undefined;
  /** True when search engines are asked to leave it out. */
  noindex: boolean;
  /** `hreflang` -> absolute address, itself included. */
  alternates: { lang: string; url: string }[];
  /** Absolute addresses of the pictures of what the page is about. */
  images: string[];
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&#38;': '&', '&quot;': '"', '&#34;': '"', '&#39;': "'" };

/** Reads the tags in the head of a built page. */
export function readHead(html: string): ScannedHead {
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

/** A thing with pictures, or a picture that stands by itself in a graph. */
const pictured = z.union([
  z.object({ image: z.array(z.string()) }).transform(({ image }) => image),
  z.object({ '@type': z.literal('ImageObject'), contentUrl: z.string() }).transform(({ contentUrl }) => [contentUrl]),
]);
/** The nodes of a block, which may stand alone. */
const block = z.object({ '@graph': z.array(z.unknown()) });

/** As linked data names them; most pages name none, and every page is read. */
function readImages(head: string): string[] {
  if (!/"image":\[|"ImageObject"/.test(head)) return [];
  return [...findSpans(head, /<script type="application\/ld\+json">/, /<\/script>/)].flatMap(({ inner }) => {
    const read = parseJson(inner);
    const graph = block.safeParse(read);
    return (graph.success ? graph.data['@graph'] : [read]).flatMap((node) => pictured.safeParse(node).data ?? []);
  });
}

/** A page of the project's own may hold anything. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param opening Of the tags that can be meant: most of a head is for others, and every page is read. */
function readTags(html: string, opening: RegExp): Record<string, string>[] {
  return [...findTags(html, opening)].map(({ source }) => readAttributes(source));
}

function readAttributes(tag: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', double, single, bare] of tag.matchAll(
    /(?<![\w-])([\w-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g,
  ))
    attributes[name] = decode(double ?? single ?? bare ?? '');
  return attributes;
}

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:amp|quot|#3[489]);/g, (entity) => ENTITIES[entity] ?? entity);
}
