import { z } from 'zod';
import { cleanText, toSingleLine } from '../clean-texts.ts';
import { escapeXml } from '../html/html-text.ts';
import { parseValue, type Problem, type ParseResult } from '../parse-value.ts';
import {
  chapterItems,
  validateChapters,
  lenientChapter,
  sortByStart,
  type Chapter,
  type RawChapter,
} from './chapter.ts';
import { parseItems, rejectDocument, type PartialParseResult } from './partial-parse-result.ts';
import { readXmlTags } from './xml-tags.ts';
import { formatPlayTime, parseLenientPlayTime, parseSeconds } from './play-time.ts';
import { isWebAddress, normalizeWebAddress } from './web-address.ts';

interface ChapterFormatRules {
  mimeType: string;
  /** Parses chapters without validating them. Malformed items are returned as problems. */
  find(text: string): ParseResult<(RawChapter | Problem)[]>;
  write(chapters: readonly Chapter[]): string;
}

/** Maximum length of a chapters document. */
export const MAX_CHAPTERS_LENGTH = 1_000_000;

/** Chapter formats by the values of `chapters_format`. */
const FORMATS = {
  mp4chaps: { mimeType: 'text/plain', find: findInLines, write: writeLines },
  psc: { mimeType: 'application/xml', find: findInXml, write: writeXml },
  json: {
    mimeType: 'application/json',
    find: findInItems,
    write: (chapters) => JSON.stringify(chapterItems(chapters)),
  },
  pijson: { mimeType: 'application/json', find: findInPodcastJson, write: writePodcastJson },
} as const satisfies Record<string, ChapterFormatRules>;

export type ChapterFormat = keyof typeof FORMATS;
export const chapterFormat = z.enum(Object.keys(FORMATS) as ChapterFormat[]);

/** MIME type in feeds of Podcasting 2.0 chapters, which are served as `application/json`. */
export const PODCAST_CHAPTERS_TYPE = 'application/json+chapters';

export function chapterMimeType(format: ChapterFormat): string {
  return FORMATS[format].mimeType;
}

/**
 * Parses a chapters document of any program, in any order: `mp4chaps` text, Podlove Simple Chapters (`psc`), the list
 * of this interface (`json`) or Podcasting 2.0 chapters (`pijson`).
 *
 * @param durationMs Duration of the episode; later chapters are omitted.
 * @returns the chapters in order of time, or the problems and their positions
 */
export function parseChapters(format: ChapterFormat, text: string, durationMs?: number): PartialParseResult<Chapter[]> {
  if (text.length > MAX_CHAPTERS_LENGTH) return rejectDocument(`is longer than ${MAX_CHAPTERS_LENGTH} characters`);
  const found = FORMATS[format].find(cleanText(text.replace(/^\uFEFF/, '')));
  return found.ok ? validateChapters(found.value, durationMs) : found;
}

/** Serializes chapters in order of time, except for `json`, which preserves the stored order. */
export function writeChapters(format: ChapterFormat, chapters: readonly Chapter[]): string {
  return FORMATS[format].write(format === 'json' ? chapters : sortByStart(chapters));
}

/** Serializes chapters as a feed element (Podlove Simple Chapters 1.2). */
export function chaptersElement(chapters: readonly Chapter[]): string {
  const lines = sortByStart(chapters).map(({ startMs, title, href, image }) => {
    const attributes = Object.entries({ start: formatPlayTime(startMs), title: toSingleLine(title), href, image })
      .filter(([, value]) => value !== undefined)
      .map(([name, value = '']) => ` ${name}="${escapeXml(value)}"`);
    return `<psc:chapter${attributes.join('')}/>`;
  });
  const opening = '<psc:chapters version="1.2" xmlns:psc="http://podlove.org/simple-chapters">';
  return [opening, ...lines, '</psc:chapters>'].join('\n');
}

/** Parses one chapter per line: `00:01:30.000 Title <https://example.org/>`. */
function findInLines(text: string): ParseResult<RawChapter[]> {
  const found = text.split(/\r\n|\r|\n/).flatMap((line, i): RawChapter[] => {
    const whole = line.trim();
    if (whole === '') return [];
    const space = whole.search(/\s/);
    const [start, rest] = space < 0 ? [whole, ''] : [whole.slice(0, space), whole.slice(space).trimStart()];
    return [{ place: `line ${i + 1}`, startMs: parseLenientPlayTime(start), ...splitLink(rest) }];
  });
  return { ok: true, value: found };
}

/** Splits a trailing web address in brackets from the title. */
function splitLink(rest: string): { title: string; href?: string } {
  const opening = rest.endsWith('>') ? rest.lastIndexOf('<') : -1;
  const href = opening < 0 ? '' : rest.slice(opening + 1, -1);
  const address = isWebAddress(href) ? href : normalizeWebAddress(href);
  return address === undefined ? { title: rest } : { title: rest.slice(0, opening).trimEnd(), href: address };
}

/** The format has no images, and no URLs outside the web. */
function writeLines(chapters: readonly Chapter[]): string {
  return chapters
    .map(({ startMs, title, href }) => {
      const link = href !== undefined && isWebAddress(href) ? `<${href}>` : '';
      return `${[formatPlayTime(startMs), toSingleLine(title), link].filter((part) => part !== '').join(' ')}\n`;
    })
    .join('');
}

function findInXml(text: string): ParseResult<RawChapter[]> {
  const tags = readXmlTags(text);
  if (!tags) return rejectDocument('is not complete XML, or has a DOCTYPE, which is not allowed');
  if (!tags.some(({ name }) => name === 'chapters')) return rejectDocument('has no element psc:chapters');
  const found = tags
    .filter(({ name, isClosing }) => name === 'chapter' && !isClosing)
    .map(({ attributes }, i) => ({
      place: `chapter ${i + 1}`,
      startMs: parseLenientPlayTime(attributes.get('start') ?? ''),
      title: toSingleLine(attributes.get('title') ?? ''),
      href: attributes.get('href')?.trim(),
      image: attributes.get('image')?.trim(),
    }));
  return { ok: true, value: found };
}

function writeXml(chapters: readonly Chapter[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${chaptersElement(chapters)}\n`;
}

/** Parses the list of this interface, alone or within a response. */
function findInItems(text: string): ParseResult<(RawChapter | Problem)[]> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const answer = z.object({ chapters: z.unknown() }).safeParse(parsed.value);
  const list = parseValue(z.array(z.unknown()), answer.success ? answer.data.chapters : parsed.value);
  if (!list.ok) return list;
  const found = parseItems(list.value, 'chapters', lenientChapter, ({ start, ...chapter }, i) => ({
    place: `chapter ${i + 1}`,
    startMs: parseLenientPlayTime(start),
    ...chapter,
  }));
  return { ok: true, value: found };
}

const podcastChapters = z.object({ chapters: z.array(z.unknown()) });
const podcastChapter = z.object({
  startTime: z.number(),
  title: z.string().nullish(),
  url: z.string().nullish(),
  img: z.string().nullish(),
  toc: z.boolean().nullish(),
});

/** Parses JSON chapters 1.2 (podcast namespace). Chapters outside the table of contents are skipped. */
function findInPodcastJson(text: string): ParseResult<(RawChapter | Problem)[]> {
  const parsed = parseJson(text);
  const read = parsed.ok ? parseValue(podcastChapters, parsed.value) : parsed;
  if (!read.ok) return read;
  const found = parseItems(
    read.value.chapters,
    'chapters',
    podcastChapter,
    ({ startTime, title, url, img, toc }, i) => ({
      place: `chapter ${i + 1}`,
      startMs: parseSeconds(startTime),
      title: title ?? '',
      href: url ?? undefined,
      image: img ?? undefined,
      isListed: toc ?? true,
    }),
  );
  return { ok: true, value: found.filter((chapter) => 'problem' in chapter || chapter.isListed) };
}

function writePodcastJson(chapters: readonly Chapter[]): string {
  return JSON.stringify({
    version: '1.2.0',
    chapters: chapters.map(({ startMs, title, href, image }) => ({
      startTime: startMs / 1000,
      title,
      url: href,
      img: image,
    })),
  });
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false; problems: Problem[] } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return rejectDocument('is not valid JSON');
  }
}
