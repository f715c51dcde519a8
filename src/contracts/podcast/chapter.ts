import { z } from 'zod';
import type { Problem } from '../parse-value.ts';
import { playTime } from './shared-schemas.ts';
import { toPartialResult, rejectDocument, type PartialParseResult } from './partial-parse-result.ts';
import { formatPlayTime, parsePlayTime } from './play-time.ts';
import { isSafeLink, MAX_ADDRESS_LENGTH, webAddress } from './web-address.ts';

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
  start: z.string().meta({ description: 'Normal play time' }),
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
    return createChapter(startMs, title, href, image);
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

/** An unvalidated chapter of a document. */
export interface RawChapter {
  /** Position in the document, for messages: `line 3`. */
  place: string;
  /** Undefined if unreadable. */
  startMs: number | undefined;
  title: string;
  href?: string | undefined;
  image?: string | undefined;
}

/**
 * Validates the chapters of a document. Chapters without a time or after the end of the episode are omitted, as are
 * invalid links. A document is rejected only if most of it is unreadable.
 *
 * @returns chapters in order of time
 */
export function validateChapters(
  found: readonly (RawChapter | Problem)[],
  durationMs?: number,
): PartialParseResult<Chapter[]> {
  if (found.length > MAX_CHAPTERS)
    return rejectDocument(`holds ${found.length} chapters; at most ${MAX_CHAPTERS} are read`);
  const omitted: Problem[] = [];
  const chapters = found.flatMap((chapter): Chapter[] => {
    const read = 'problem' in chapter ? chapter : checkChapter(chapter, durationMs);
    if ('problem' in read) {
      omitted.push(read);
      return [];
    }
    omitted.push(...read.omitted);
    return [read.chapter];
  });
  return toPartialResult(sortByStart(chapters), omitted, {
    read: chapters.length,
    unread: found.length - chapters.length,
  });
}

function checkChapter(
  { place: field, startMs, title, ...links }: RawChapter,
  durationMs: number | undefined,
): Problem | { chapter: Chapter; omitted: Problem[] } {
  if (startMs === undefined) return { field, problem: 'has no time such as 00:01:30.000' };
  if (durationMs !== undefined && startsAfterEnd(startMs, durationMs))
    return { field, problem: describeLateChapter(startMs, durationMs) };
  if (title.length > MAX_TITLE_LENGTH)
    return { field, problem: `has a title of more than ${MAX_TITLE_LENGTH} characters` };
  const omitted: Problem[] = [];
  const check = (name: 'href' | 'image'): string | undefined => {
    const { [name]: text = '' } = links;
    if (text.length <= MAX_ADDRESS_LENGTH && isSafeLink(text)) return text;
    const problem =
      text.length > MAX_ADDRESS_LENGTH ? `of more than ${MAX_ADDRESS_LENGTH} characters` : 'that is not a web address';
    omitted.push({ field, problem: `has an ${name} ${problem}` });
    return undefined;
  };
  return { chapter: createChapter(startMs, title, check('href'), check('image')), omitted };
}

/** Describes why a chapter is not part of an episode. */
export function describeLateChapter(startMs: number, durationMs: number): string {
  return `begins at ${formatPlayTime(startMs)}, but the episode ends at ${formatPlayTime(durationMs)}`;
}

function startsAfterEnd(startMs: number, durationMs: number): boolean {
  return durationMs > 0 && startMs >= durationMs;
}

/** Returns the chapters that start before the end of the episode. @param durationMs 0 if unknown */
export function chaptersWithin<T extends { startMs: number }>(chapters: readonly T[], durationMs: number): T[] {
  return chapters.filter(({ startMs }) => !startsAfterEnd(startMs, durationMs));
}

export function sortByStart<T extends { startMs: number }>(chapters: readonly T[]): T[] {
  return chapters.toSorted((a, b) => a.startMs - b.startMs);
}

function createChapter(startMs: number, title: string, href = '', image = ''): Chapter {
  return { startMs, title, ...(href && { href }), ...(image && { image }) };
}
