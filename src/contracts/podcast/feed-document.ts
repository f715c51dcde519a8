import { cleanText, toSingleLine, trimTrailing } from '../scan-text.ts';
import { escapeXml, toCdata } from '../html/html-text.ts';
import { chaptersElement, PODCAST_CHAPTERS_TYPE, type Chapter } from './chapter.ts';
import type { EpisodeType } from './episode.ts';
import { formatPlayTime } from './play-time.ts';
import type { DirectoryCategory } from './record.ts';
import { createHash } from 'node:crypto';

/**
 * Content of a podcast feed. Texts are unescaped and URLs absolute. Undefined and empty values are omitted from the
 * document.
 */
export interface FeedDocument {
  channel: FeedChannel;
  /** Episodes, newest first. */
  items: readonly FeedItem[];
}

export interface FeedChannel {
  title: string;
  /** Home page of the podcast. */
  link: string;
  subtitle?: string | undefined;
  summary?: string | undefined;
  /** Description if there is neither subtitle nor summary. */
  tagline?: string | undefined;
  /** Last change of the document; equal for equal content. */
  updated: Date;
  address: FeedAddress;
  /** Code of its language, such as `de-CH`. */
  language?: string | undefined;
  /** Name of the generating program. */
  generator?: string | undefined;
  guid?: string | undefined;
  copyright?: string | undefined;
  author?: string | undefined;
  /** E-mail address of the owner. */
  email?: string | undefined;
  type?: 'episodic' | 'serial' | undefined;
  category?: DirectoryCategory | undefined;
  /** URL of the cover. */
  image?: string | undefined;
  isExplicit?: boolean | undefined;
  funding?: FeedLink | undefined;
  license?: FeedLink | undefined;
  persons?: readonly FeedPerson[] | undefined;
  /** True if other hosts may import the podcast only with the owner's consent. */
  isLocked?: boolean | undefined;
}

/** URL of the document and related documents (RFC 5005, section 3, for its pages). */
interface FeedAddress {
  self: string;
  /** URL of a WebSub hub. */
  hub?: string | undefined;
  /** Displayed feed name, in brackets after the title. */
  name?: string | undefined;
  first?: string | undefined;
  previous?: string | undefined;
  next?: string | undefined;
  last?: string | undefined;
  /** Feeds of the podcast in other formats or languages. */
  alternates?: readonly { title: string; href: string; language?: string | undefined }[] | undefined;
  /** New URL of a moved feed, for apps. */
  movedTo?: string | undefined;
}

interface FeedLink {
  name: string;
  href: string;
}

interface FeedPerson {
  name: string;
  /** A role of the podcast taxonomy (https://podcasttaxonomy.com), such as `host`. */
  role?: string | undefined;
  href?: string | undefined;
  image?: string | undefined;
}

export interface FeedItem {
  title: string;
  /** URL of the episode page. */
  link: string;
  guid: string;
  published: Date;
  subtitle?: string | undefined;
  summary?: string | undefined;
  /** Page content as HTML, with absolute URLs. */
  notes?: string | undefined;
  file: { href: string; bytes: number; mimeType: string };
  /** 0 if unknown. */
  durationMs: number;
  author?: string | undefined;
  number?: number | undefined;
  season?: number | undefined;
  type: EpisodeType;
  isExplicit?: boolean | undefined;
  image?: string | undefined;
  chapters?: readonly Chapter[] | undefined;
  /** URL of the chapters as Podcasting 2.0 JSON. */
  chaptersHref?: string | undefined;
  transcripts?: readonly FeedTranscript[] | undefined;
  soundbite?: { startMs: number; durationMs: number; title?: string | undefined } | undefined;
  license?: FeedLink | undefined;
  persons?: readonly FeedPerson[] | undefined;
}

interface FeedTranscript {
  href: string;
  mimeType: string;
  language?: string | undefined;
}

const NAMESPACES = {
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
  'xmlns:psc': 'http://podlove.org/simple-chapters',
  'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
  'xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
};

export const FEED_MIME_TYPE = 'application/rss+xml';

/** Maximum length of a label, name or title in the podcast namespace. */
const MAX_LABEL = 128;

/**
 * Serializes RSS 2.0 with iTunes, Podcasting 2.0, Podlove Simple Chapters and Atom links. The output is deterministic.
 */
export function writeFeed({ channel, items }: FeedDocument): string {
  return rss(NAMESPACES, writeChannel(channel), ...items.map((item) => writeItem(item, channel)));
}

function rss(namespaces: Attributes, ...parts: readonly string[]): string {
  const opening = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    open('rss', { version: '2.0', ...namespaces }),
    '<channel>',
  ];
  return lines(...opening, ...parts, '</channel>', '</rss>\n');
}

/** Channel of a feed of posts. */
interface PostChannel {
  title: string;
  link: string;
  description: string;
  /** URL of the feed. */
  self: string;
  updated: Date;
}

interface FeedPost {
  title: string;
  link: string;
  guid: string;
  published: Date;
  summary: string;
  /** Content as HTML. */
  notes: string;
}

/** Serializes RSS 2.0 of posts, without enclosures. */
export function writePostFeed(channel: PostChannel, posts: readonly FeedPost[]): string {
  const { 'xmlns:atom': atom, 'xmlns:content': content } = NAMESPACES;
  return rss(
    { 'xmlns:atom': atom, 'xmlns:content': content },
    text('title', channel.title),
    text('link', channel.link),
    section('description', channel.description || channel.title),
    text('lastBuildDate', rfc2822(channel.updated)),
    empty('atom:link', { rel: 'self', type: FEED_MIME_TYPE, href: channel.self }),
    ...posts.map((post) =>
      lines(
        '<item>',
        text('title', post.title),
        text('link', post.link),
        text('pubDate', rfc2822(post.published)),
        text('guid', post.guid, { isPermaLink: 'false' }),
        section('description', post.summary),
        section('content:encoded', post.notes),
        '</item>',
      ),
    ),
  );
}

function writeChannel(channel: FeedChannel): string {
  const { title, link, subtitle, summary, address, author, email, image, category } = channel;
  return lines(
    text('title', title),
    text('link', link),
    section('description', subtitle || summary || channel.tagline || title),
    text('lastBuildDate', rfc2822(channel.updated)),
    image && lines('<image>', text('url', image), text('title', title), text('link', link), '</image>'),
    ...atomLinks(title, address),
    text('language', channel.language),
    text('generator', channel.generator),
    text('podcast:guid', channel.guid),
    text('podcast:medium', 'podcast'),
    // Hosts ask the owner before importing a locked podcast.
    email && text('podcast:locked', channel.isLocked ? 'yes' : 'no', { owner: email }),
    text('copyright', channel.copyright),
    text('itunes:author', author),
    text('itunes:type', channel.type ?? 'episodic'),
    section('itunes:summary', summary),
    category && writeCategory(category),
    lines(
      '<itunes:owner>',
      text('itunes:name', author || title),
      // Validators require the element, even if it is empty.
      text('itunes:email', email) || empty('itunes:email', {}),
      '</itunes:owner>',
    ),
    image && empty('itunes:image', { href: image }),
    text('itunes:subtitle', subtitle),
    text('itunes:block', 'no'),
    text('itunes:explicit', String(channel.isExplicit ?? false)),
    text('itunes:new-feed-url', address.movedTo),
    writeFunding(channel.funding),
    writeLicense(channel.license),
    ...writePersons(channel.persons),
  );
}

function atomLinks(title: string, address: FeedAddress): string[] {
  const { self, name, alternates = [] } = address;
  const pages = {
    hub: address.hub,
    first: address.first,
    prev: address.previous,
    next: address.next,
    last: address.last,
  };
  return [
    empty('atom:link', {
      rel: 'self',
      type: FEED_MIME_TYPE,
      title: name ? `${title} (${name})` : title,
      href: self,
    }),
    ...Object.entries(pages).map(([rel, href]) => (href ? empty('atom:link', { rel, href }) : '')),
    ...alternates.map((other) =>
      empty('atom:link', {
        rel: 'alternate',
        type: FEED_MIME_TYPE,
        hreflang: other.language,
        title: other.title,
        href: other.href,
      }),
    ),
  ];
}

function writeCategory({ top, leaf }: DirectoryCategory): string {
  if (leaf === undefined) return empty('itunes:category', { text: top });
  return lines(open('itunes:category', { text: top }), empty('itunes:category', { text: leaf }), '</itunes:category>');
}

function writeFunding(funding: FeedLink | undefined): string {
  if (!funding?.href) return '';
  return text('podcast:funding', cut(funding.name || funding.href), { url: funding.href });
}

function writeLicense(license: FeedLink | undefined): string {
  return text('podcast:license', license?.name || license?.href, { url: license?.href });
}

function writePersons(persons: readonly FeedPerson[] = []): string[] {
  return persons.map(({ name, role, href, image }) => text('podcast:person', cut(name), { role, href, img: image }));
}

function writeItem(item: FeedItem, channel: FeedChannel): string {
  const { title, link, subtitle, summary, file, chapters = [], soundbite, image, isExplicit } = item;
  return lines(
    '<item>',
    text('title', title),
    text('link', link),
    text('pubDate', rfc2822(item.published)),
    text('guid', item.guid, { isPermaLink: 'false' }),
    section('description', summary || subtitle || title),
    empty('atom:link', { rel: 'http://podlove.org/deep-link', href: `${link}#` }),
    empty('enclosure', { url: file.href, length: String(file.bytes), type: file.mimeType }),
    text('itunes:duration', formatPlayTime(item.durationMs).replace(/\.\d+$/, '')),
    text('itunes:author', item.author ?? channel.author),
    text('itunes:subtitle', subtitle),
    text('itunes:title', title),
    text('itunes:season', item.season?.toString()),
    text('itunes:episode', item.number?.toString()),
    text('itunes:episodeType', item.type),
    isExplicit === undefined ? '' : text('itunes:explicit', String(isExplicit)),
    image && empty('itunes:image', { href: image }),
    section('itunes:summary', summary),
    section('content:encoded', item.notes),
    chapters.length > 0 ? chaptersElement(chapters) : '',
    chapters.length > 0 && item.chaptersHref
      ? empty('podcast:chapters', { url: item.chaptersHref, type: PODCAST_CHAPTERS_TYPE })
      : '',
    ...(item.transcripts ?? []).map(({ href, mimeType, language }) =>
      empty('podcast:transcript', { url: href, type: mimeType, language }),
    ),
    soundbite &&
      text('podcast:soundbite', cut(soundbite.title || title), {
        startTime: seconds(soundbite.startMs),
        duration: seconds(soundbite.durationMs),
      }),
    writeLicense(item.license),
    ...writePersons(item.persons),
    '</item>',
  );
}

function cut(label: string): string {
  return [...toSingleLine(label)].slice(0, MAX_LABEL).join('');
}

type Attributes = Readonly<Record<string, string | undefined>>;

function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n');
}

function open(name: string, attributes: Attributes): string {
  return `<${name}${formatAttributes(attributes)}>`;
}

function empty(name: string, attributes: Attributes): string {
  return `<${name}${formatAttributes(attributes)}/>`;
}

/** Serializes a single-line element; empty for an empty text. */
function text(name: string, content: string | undefined, attributes: Attributes = {}): string {
  const escaped = escapeXml(toSingleLine(cleanText(content ?? '')));
  return escaped === '' ? '' : `<${name}${formatAttributes(attributes)}>${escaped}</${name}>`;
}

/** Serializes an element with lines and markup as CDATA; empty for an empty text. */
function section(name: string, content: string | undefined): string {
  return content ? `<${name}>${toCdata(cleanText(content))}</${name}>` : '';
}

function formatAttributes(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value)
    .map(([name, value = '']) => ` ${name}="${escapeXml(toSingleLine(cleanText(value)))}"`)
    .join('');
}

/** Formats a date for RSS, in UTC (RFC 2822, section 3.3). */
function rfc2822(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Namespace of podcasts: ead4c236-bf58-58c6-a2c6-a6b28d128cb6. */
const NAMESPACE = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex');

/**
 * Computes the initial guid of a podcast (Podcasting 2.0, guid): a version 5 UUID of its feed URL, without scheme and
 * trailing slashes. An assigned guid never changes, even if the feed moves.
 */
export function podcastGuid(feedAddress: string): string {
  const name = trimTrailing(feedAddress.replace(/^[a-z]+:\/\//i, ''), '/');
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
