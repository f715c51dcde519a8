import { z } from 'zod';
import { isWebAddress, normalizeWebAddress } from '../podcast/shared-schemas.ts';
import { getHead, listHeads } from '../seo/head.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from '../seo/head-values.ts';
import { bareHost } from '../site-paths.ts';
import type { HeadRecord, HeadSubject } from './head-record.ts';
import type { SyncedKind, TextConverters } from './synced-kind.ts';

/** Advice for a site that hides all its pages; every publishing server has such a setting. */
export const SEARCH_SETTING =
  'If that is not intended, turn off the setting of the publishing site that discourages search engines from indexing it (Settings, Reading), and then sync with `--full=publishing`.';

/** Advice for a site whose pages all have a canonical URL on another host. */
export const ADDRESS_SETTING =
  'If that is not intended, correct the address of the publishing site in its settings, and then sync with `--full=publishing`.';

/** True if a page is hidden from search engines. */
export function isHiddenFromSearch({ robots }: Pick<HeadRecord, 'robots'>): boolean {
  return robots.includes('noindex') || robots.includes('none');
}

/** True if the canonical URL of a page is on another host. */
export function hasForeignCanonical(
  { canonical }: Pick<HeadRecord, 'canonical'>,
  ownHosts: readonly string[],
): boolean {
  const host = URL.parse(canonical)?.host;
  return host !== undefined && ownHosts.every((own) => bareHost(own) !== bareHost(host));
}

/** A page head from either of the two routes. */
export interface HeadRow {
  subject: HeadSubject;
  url: string;
  head: Readonly<Record<string, unknown>>;
  settings?: { is_cornerstone: boolean; breadcrumb_title: string; redirect: string } | undefined;
}

/** Heads are parsed member by member, because servers differ. */
const anyHead = z.record(z.string(), z.unknown());
const listed = z.object({
  type: z.string(),
  id: z.int(),
  url: z.string(),
  head: anyHead,
  settings: z
    .object({
      is_cornerstone: z.boolean().catch(false),
      breadcrumb_title: z.string().catch(''),
      redirect: z.string().catch(''),
    })
    .optional(),
});
export type ListedHeadRow = z.output<typeof listed>;

const headByAddress = { ...getHead, response: z.object({ json: anyHead }) };

/**
 * Page heads of other kinds and the home page. They are read from a list if the server has one, otherwise one by one by
 * URL.
 */
export const HEAD: SyncedKind<HeadRecord> & { item: typeof headByAddress } = {
  kind: 'head',
  noun: 'page head',
  list: { ...listHeads, response: z.array(listed) },
  item: headByAddress,
  mayLack: true,
  changes: 'by subject',
  project: projectHead,
  references: ({ openGraph, twitter }, _filesIn, isOwn) =>
    [...openGraph.images.map(({ url }) => url), twitter['image'] ?? '']
      .filter((address) => address !== '' && isOwn(address))
      .map((address) => ({ address, kind: 'image' })),
};

/** Returns the subject of a list entry by its type: a content type, taxonomy or other page type. */
export function findHeadSubject({ type, id }: Pick<ListedHeadRow, 'type' | 'id'>): HeadSubject | undefined {
  const kind = KINDS.get(type);
  return kind && { kind, id: kind === 'home' ? 0 : id };
}

const KINDS = new Map<string, HeadSubject['kind']>([
  ['home', 'home'],
  ['post', 'post'],
  ['page', 'page'],
  ['podcast', 'episode'],
  ['category', 'category'],
  ['post_tag', 'tag'],
  ['user', 'author'],
]);

const MAX_NAME_LENGTH = 200;
const MAX_PICTURES = 10;

function projectHead({ subject, url, head, settings }: HeadRow, texts: TextConverters): HeadRecord {
  const line = (value: unknown, maxLength = MAX_TITLE_LENGTH) =>
    typeof value === 'string' ? cut(texts.plain(value.slice(0, maxLength * 8)), maxLength) : '';
  const title = line(head['title']);
  const graph = readGraph(head['schema'], texts);
  return {
    id: `${subject.kind}/${subject.id}`,
    subject,
    url,
    title,
    description: line(head['description'], MAX_DESCRIPTION_LENGTH),
    robots: readRobots(head['robots']),
    canonical: addressOf(head['canonical']),
    openGraph: {
      type: identifier(head['og_type']),
      title: line(head['og_title']),
      description: line(head['og_description'], MAX_DESCRIPTION_LENGTH),
      url: addressOf(head['og_url']),
      locale: identifier(head['og_locale']),
      images: readPictures(head['og_image']),
      article: ARTICLE_PROPERTIES.flatMap((name): [string, string][] => {
        const value = line(head[name]);
        return isOfProperty(name, value) ? [[name.replace('_', ':'), value]] : [];
      }),
    },
    twitter: readTwitter(head, line),
    author: line(head['author'], MAX_NAME_LENGTH),
    graph,
    breadcrumbTitle: line(settings?.breadcrumb_title),
    isCornerstone: settings?.is_cornerstone ?? false,
    redirect: addressOf(settings?.redirect),
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;
}

function addressOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > 2000) return '';
  return isWebAddress(value) ? value : (normalizeWebAddress(value) ?? '');
}

/** Returns a standard identifier, such as `article` or `de_DE`; empty for other values. */
function identifier(value: unknown): string {
  return typeof value === 'string' && /^[\w.:-]{1,40}$/.test(value) ? value : '';
}

const DIRECTIVE =
  /^(?:no)?(?:index|follow|archive|snippet|imageindex|translate|cache)$|^(?:all|none|indexifembedded)$|^max-(?:snippet|image-preview|video-preview):[\w-]{1,10}$/;

/** Returns the known directives. */
function readRobots(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const directives = Object.values(value).flatMap((word) =>
    typeof word === 'string' ? [word.trim().toLowerCase()] : [],
  );
  return [...new Set(directives.filter((word) => DIRECTIVE.test(word)))];
}

const ARTICLE_PROPERTIES = [
  'article_publisher',
  'article_author',
  'article_published_time',
  'article_modified_time',
] as const;

function isOfProperty(name: string, value: string): boolean {
  if (name.endsWith('_time')) return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value);
  return isWebAddress(value);
}

function readPictures(value: unknown): HeadRecord['openGraph']['images'] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_PICTURES).flatMap((picture: unknown) => {
    if (typeof picture !== 'object' || picture === null || !('url' in picture)) return [];
    const { url, width, height, type } = picture as Record<string, unknown>;
    const address = addressOf(url);
    if (address === '') return [];
    const [across, down] = [lengthOf(width), lengthOf(height)];
    const mimeType = typeof type === 'string' && /^image\/[\w.+-]{1,40}$/.test(type) ? type : undefined;
    return [
      { url: address, ...(across && down && { width: across, height: down }), ...(mimeType && { type: mimeType }) },
    ];
  });
}

function lengthOf(value: unknown): number | undefined {
  const length = Number(value);
  return Number.isInteger(length) && length > 0 && length < 100_000 ? length : undefined;
}

type Line = (value: unknown, maxLength?: number) => string;

function readTwitter(head: HeadRow['head'], line: Line): Record<string, string> {
  const named: [string, string][] = [
    ['card', identifier(head['twitter_card'])],
    ['title', line(head['twitter_title'])],
    ['description', line(head['twitter_description'], MAX_DESCRIPTION_LENGTH)],
    ['image', addressOf(head['twitter_image'])],
    ['creator', line(head['twitter_creator'], MAX_NAME_LENGTH)],
    ['site', line(head['twitter_site'], MAX_NAME_LENGTH)],
  ];
  return Object.fromEntries(named.filter(([, value]) => value !== ''));
}

/** Limits of a graph; a larger one is discarded as a whole. */
const MAX_VALUES = 2000;
const MAX_DEPTH = 12;
const MAX_TEXT_LENGTH = 5000;
const MAX_GRAPH_LENGTH = 100_000;

/** Members that identify or link an object. */
const ADDRESSES = /^(?:@id|url|contentUrl|embedUrl|thumbnailUrl|urlTemplate|item|target|sameAs|logo|image)$/;

/** Parses the nodes of a schema graph. Texts become plain; members without a valid name or value are removed. */
function readGraph(schema: unknown, texts: TextConverters): Record<string, unknown>[] {
  const nodes = anyHead.safeParse(schema).data?.['@graph'];
  if (!Array.isArray(nodes)) return [];
  let values = 0;
  const read = (value: unknown, name: string, depth: number): unknown => {
    values += 1;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return undefined;
    if (typeof value === 'string') return readText(value, name, texts);
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) {
      const items = value.map((item: unknown) => read(item, name, depth + 1)).filter((item) => item !== undefined);
      return items.length > 0 ? items : undefined;
    }
    const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      if (!/^(?:@(?:id|type|value|language)|[A-Za-z][\w:-]{0,60})$/.test(key)) return [];
      const parsed = read(member, key, depth + 1);
      return parsed === undefined ? [] : [[key, parsed]];
    });
    return members.length > 0 ? Object.fromEntries(members) : undefined;
  };
  const graph = nodes.flatMap((node: unknown) => {
    const parsed = anyHead.safeParse(read(node, '', 0)).data;
    return parsed && parsed['@type'] !== undefined && !Array.isArray(node) ? [parsed] : [];
  });
  return values > MAX_VALUES || JSON.stringify(graph).length > MAX_GRAPH_LENGTH ? [] : graph;
}

function readText(value: string, name: string, texts: TextConverters): string | undefined {
  if (name === '@type') return /^[A-Za-z]\w{0,60}$/.test(value) ? value : undefined;
  if (isWebAddress(value)) return value.length <= 2000 ? value : undefined;
  // The member must be a URL.
  if (ADDRESSES.test(name)) return addressOf(value) || undefined;
  const text = cut(texts.plain(value.slice(0, MAX_TEXT_LENGTH * 2)), MAX_TEXT_LENGTH);
  return text === '' || /^\s*(?:(?:javascript|vbscript)\s*:|data:\w+\/)/i.test(text) ? undefined : text;
}
