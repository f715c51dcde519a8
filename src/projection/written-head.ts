import { BUILT_IN_TITLES, fillTemplate, SEPARATORS } from '#contracts/seo/fill-template.ts';
import { isTakenFrom } from '#contracts/synced/excerpt.ts';
import type { HeadRecord, HeadSubject } from '#contracts/synced/index.ts';

/** The thing that a head is about, as its own record has it. */
export interface HeadSource {
  name: string;
  /** Texts that servers use in place of a missing description. */
  texts: readonly string[];
  /** Sanitised HTML of an article. */
  html?: string;
}

export interface HeadSites {
  publishing: { name: string; description: string };
  /** Name of this site, and the sign before it in titles. */
  name: string;
  separator: string;
}

/**
 * Leaves out of a head the texts that built-in templates of the publishing site have made, as this site has its own in
 * the language of the page. Texts that editors wrote stay; in titles, the name of this site and its separator replace
 * those of the publishing site.
 */
export function writtenHead(head: HeadRecord, source: HeadSource, sites: HeadSites): HeadRecord {
  const readTitle = titleReader(head.subject.kind, source, sites);
  const texts = new Set([...source.texts, sites.publishing.description, ''].map(fold));
  const readDescription = (text: string) => (texts.has(fold(text)) || isTakenFrom(text, source.html ?? '') ? '' : text);
  const { openGraph, twitter } = head;
  const written = {
    title: readTitle(twitter['title'] ?? ''),
    description: readDescription(twitter['description'] ?? ''),
  };
  return {
    ...head,
    title: readTitle(head.title),
    description: readDescription(head.description),
    openGraph: {
      ...openGraph,
      title: readTitle(openGraph.title),
      description: readDescription(openGraph.description),
    },
    twitter: Object.fromEntries(Object.entries({ ...twitter, ...written }).filter(([, value]) => value !== '')),
  };
}

function titleReader(
  kind: HeadSubject['kind'],
  { name }: HeadSource,
  { publishing, name: siteName, separator }: HeadSites,
): (title: string) => string {
  const values = { title: name, term_title: name, name, sitename: publishing.name, sitedesc: publishing.description };
  const templates = [...BUILT_IN_TITLES.content, ...BUILT_IN_TITLES[TEMPLATE_KINDS[kind]]];
  const builtIn = templates.map((template) => fillTemplate(template, values));
  // When pages are shared, some servers leave the name of the site out.
  const known = new Set([...builtIn, name].map(fold));
  return (title) => {
    if (known.has(fold(title))) return '';
    const sign = SEPARATORS.find((one) => title.endsWith(` ${one} ${publishing.name}`));
    if (sign === undefined) return title;
    return `${title.slice(0, -` ${sign} ${publishing.name}`.length)} ${separator} ${siteName}`;
  };
}

const TEMPLATE_KINDS: Readonly<Record<HeadSubject['kind'], keyof typeof BUILT_IN_TITLES>> = {
  home: 'home',
  post: 'content',
  page: 'content',
  episode: 'content',
  category: 'term',
  tag: 'term',
  author: 'author',
};

/** Makes texts equal that differ in separators, quotes and dashes alone: servers set type in some places only. */
function fold(text: string): string {
  return text
    .replaceAll(/(?<=\s)[–—:·•*⋆|~«»><](?=\s)/g, '-')
    .replaceAll(/[‘’‚´`]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[–—]/g, '-')
    .replaceAll('…', '...')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
