import type { PageHead } from '#catalogue/seo/head.ts';
import { isTypeset, removeMarks, typeset, type Ui } from '#i18n/index.ts';

/** Minimum length of the longest word, and the class for headings that contain it: `styles/base.css`. */
const SIZES = [
  { above: 33, name: 'words-40' },
  { above: 27, name: 'words-33' },
  { above: 22, name: 'words-27' },
  { above: 18, name: 'words-22' },
];

/**
 * Returns the size class of a heading. Compounds such as `Fensteranschlussfugenabdichtung` are wider than a phone, and
 * not every browser can hyphenate them.
 */
export function longWordClass(text: string): string | undefined {
  const words = text.split(/[\s\u2010-\u2014/-]+/);
  const longest = words.reduce((most, { length }) => Math.max(most, length), 0);
  return SIZES.find(({ above }) => longest > above)?.name;
}

/** Applies the typography of `Typeset` to the head, including linked data. Declared values are unchanged. */
export function typesetHead(source: PageHead, { lang, isMixed }: Pick<Ui, 'lang' | 'isMixed'>): PageHead {
  const head = isMixed ? removeMarks(source) : source;
  if (!isTypeset(lang)) return head;
  const { title, description, openGraph, twitter, graph, links } = head;
  return {
    ...head,
    title: typeset(title),
    description: description && typeset(description),
    openGraph: {
      ...openGraph,
      title: typeset(openGraph.title),
      description: openGraph.description && typeset(openGraph.description),
      images: openGraph.images.map((image) => ({ ...image, alt: image.alt && typeset(image.alt) })),
    },
    twitter: Object.fromEntries(
      Object.entries(twitter).map(([name, text]) => [name, TWITTER_TEXTS.test(name) ? typeset(text) : text]),
    ),
    graph: graph.map((node) => typesetNode(node) as PageHead['graph'][number]),
    links: links.map((link) => ({ ...link, title: link.title && typeset(link.title) })),
  };
}

const TWITTER_TEXTS = /^(?:title|description|label\d|data\d)$/;
const TEXTS = new Set(['name', 'alternateName', 'headline', 'description', 'caption', 'articleSection', 'keywords']);
/** Names of declared values are unchanged, too. */
const EXACT = new Set<unknown>(['PropertyValue', 'QuantitativeValue']);

function typesetNode(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return TEXTS.has(name) ? typeset(value) : value;
  if (Array.isArray(value)) return value.map((item: unknown) => typesetNode(item, name));
  if (typeof value !== 'object' || value === null || ('@type' in value && EXACT.has(value['@type']))) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, typesetNode(member, key)]));
}
