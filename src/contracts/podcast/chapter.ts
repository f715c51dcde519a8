import { z } from 'zod';
import { toSingleLine } from '../scan-text.ts';
import { escapeXml } from '../html/html-text.ts';
import { playTime, isSafeLink, isWebAddress, MAX_ADDRESS_LENGTH, webAddress } from './shared-schemas.ts';
import { formatPlayTime, parsePlayTime } from './play-time.ts';

/** A chapter of an episode. It ends where the next one starts. */
export interface Chapter {
  startMs: number;
  title: string;
  /** Link to further information. */
  href?: string;
  /** URL of an image. */
  image?: string;
}

/** Maximum number of chapters: one every ten seconds of almost three hours. */
export const MAX_CHAPTERS = 1000;
const MAX_TITLE_LENGTH = 1000;

/** A chapter of a response; unset members are empty. */
export const chapterItem = z.object({
  start: z.string().describe('Normal play time'),
  title: z.string(),
  href: z.string(),
  image: z.string(),
});
export type ChapterItem = z.output<typeof chapterItem>;

const unsetOrText = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

/** A chapter of another program, which may use null for unset members. */
export const lenientChapter = z.object({
  start: z.string(),
  title: unsetOrText,
  href: unsetOrText,
  image: unsetOrText,
});

const link = z.string().max(MAX_ADDRESS_LENGTH).refine(isSafeLink, { error: 'is not an allowed link address' });

const writtenChapter = z.object({
  // Documented as required, but servers accept chapters without it.
  start: playTime.optional().meta({ describedAs: { required: true } }),
  // The presence of a title is checked earlier, with the shape of the list.
  title: z.string().max(MAX_TITLE_LENGTH),
  href: link.optional(),
  image: link.optional(),
  /** Not stored, but validated, because it is a common mistake for `href`. */
  url: webAddress.optional(),
});

/** Chapters of a request. Any order is accepted, and `start` is optional; all other members are validated. */
export const chaptersInput = z.preprocess((sent, context) => {
  const reject = () => {
    context.addIssue({ code: 'custom', input: sent, message: 'is not a list of chapters, each with a title' });
    return z.NEVER;
  };
  if (!Array.isArray(sent)) return typeof sent === 'object' && sent !== null ? reject() : sent;
  if (sent.length > MAX_CHAPTERS) {
    context.addIssue({ code: 'too_big', origin: 'array', maximum: MAX_CHAPTERS, inclusive: true, input: sent });
    return z.NEVER;
  }
  return sent.every((item) => typeof item === 'object' && item !== null && 'title' in item) ? sent : reject();
}, z.array(writtenChapter));

/** Converts chapters of a request. A chapter without a start takes that of the preceding one. */
export function toChapters(items: z.output<typeof chaptersInput>): Chapter[] {
  let startMs = 0;
  return items.map(({ start, title, href, image }) => {
    startMs = start === undefined ? startMs : (parsePlayTime(start) ?? startMs);
    return { startMs, title, ...(href && { href }), ...(image && { image }) };
  });
}

/** Converts chapters for a response, in their order. */
export function chapterItems(chapters: readonly Chapter[]): ChapterItem[] {
  return chapters.map(({ startMs, title, href = '', image = '' }) => ({
    start: formatPlayTime(startMs),
    title,
    href,
    image,
  }));
}

/** Describes why a chapter is not part of an episode. */
export function describeLateChapter(startMs: number, durationMs: number): string {
  return `begins at ${formatPlayTime(startMs)}, but the episode ends at ${formatPlayTime(durationMs)}`;
}

/** Returns the chapters that start before the end of the episode. @param durationMs 0 if unknown */
export function chaptersWithin<T extends { startMs: number }>(chapters: readonly T[], durationMs: number): T[] {
  return chapters.filter(({ startMs }) => durationMs === 0 || startMs < durationMs);
}

export function sortByStart<T extends { startMs: number }>(chapters: readonly T[]): T[] {
  return chapters.toSorted((a, b) => a.startMs - b.startMs);
}

/** Chapter formats by the values of `chapters_format`. */
const FORMATS = {
  mp4chaps: { mimeType: 'text/plain', write: writeLines },
  psc: {
    mimeType: 'application/xml',
    write: (chapters) => `<?xml version="1.0" encoding="UTF-8"?>\n${chaptersElement(chapters)}\n`,
  },
  json: { mimeType: 'application/json', write: (chapters) => JSON.stringify(chapterItems(chapters)) },
  pijson: { mimeType: 'application/json', write: writePodcastJson },
} as const satisfies Record<string, { mimeType: string; write(chapters: readonly Chapter[]): string }>;

export type ChapterFormat = keyof typeof FORMATS;
export const chapterFormat = z.enum(Object.keys(FORMATS) as ChapterFormat[]);

/** MIME type in feeds of Podcasting 2.0 chapters, which are served as `application/json`. */
export const PODCAST_CHAPTERS_TYPE = 'application/json+chapters';

export function chapterMimeType(format: ChapterFormat): string {
  return FORMATS[format].mimeType;
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

/** The format has no images, and no URLs outside the web. */
function writeLines(chapters: readonly Chapter[]): string {
  return chapters
    .map(({ startMs, title, href }) => {
      const link = href !== undefined && isWebAddress(href) ? `<${href}>` : '';
      return `${[formatPlayTime(startMs), toSingleLine(title), link].filter((part) => part !== '').join(' ')}\n`;
    })
    .join('');
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
