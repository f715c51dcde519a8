import { z } from 'zod';
import type { Problem } from '../read-value.ts';
import { playTime } from './answers.ts';
import { toPartialReading, rejectDocument, type PartialReading } from './partial-reading.ts';
import { formatPlayTime, parsePlayTime } from './play-time.ts';
import { isSafeLink, MAX_ADDRESS_LENGTH, webAddress } from './web-address.ts';

/** A part of an episode that begins at a moment; it ends where the next one begins. */
export interface Chapter {
  startMs: number;
  title: string;
  /** Link to further reading. */
  href?: string;
  /** Address of a picture. */
  image?: string;
}

/** Most chapters of an episode: one every ten seconds of almost three hours. */
export const MAX_CHAPTERS = 1000;
const MAX_TITLE_LENGTH = 1000;

/** A chapter as the interface answers it: what is unset is empty. */
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

/** The same of another program, which may write null for what is unset. */
export const foreignChapter = z.object({
  start: z.string(),
  title: unsetOrText,
  href: unsetOrText,
  image: unsetOrText,
});

const link = z
  .string()
  .max(MAX_ADDRESS_LENGTH)
  .refine(isSafeLink, { error: 'is not an address that a page may link to' });

const writtenChapter = z.object({
  // Required by the interface; servers of it accept a chapter without one nevertheless.
  start: playTime.optional().meta({ describedAs: { required: true } }),
  // Whether there is one is looked at beforehand, together with what else makes a list no list of chapters.
  title: z.string().max(MAX_TITLE_LENGTH),
  href: link.optional(),
  image: link.optional(),
  /** Not kept; but a wrong one shows that `href` was meant. */
  url: webAddress.optional(),
});

/**
 * The chapters that a caller sends. Their order is the caller's: servers of this interface take any, and `start` may
 * be left out. Everything else has to fit.
 */
export const writtenChapters = z.preprocess((sent, context) => {
  const refuse = () => {
    context.addIssue({ code: 'custom', input: sent, message: 'is not a list of chapters, each with a title' });
    return z.NEVER;
  };
  if (!Array.isArray(sent)) return typeof sent === 'object' && sent !== null ? refuse() : sent;
  if (sent.length > MAX_CHAPTERS) {
    context.addIssue({ code: 'too_big', origin: 'array', maximum: MAX_CHAPTERS, inclusive: true, input: sent });
    return z.NEVER;
  }
  return sent.every((item) => typeof item === 'object' && item !== null && 'title' in item) ? sent : refuse();
}, z.array(writtenChapter));

/** Chapters of a list as callers send it. What has no start begins with the one in front of it. */
export function chaptersOf(items: z.output<typeof writtenChapters>): Chapter[] {
  let startMs = 0;
  return items.map(({ start, title, href, image }) => {
    startMs = start === undefined ? startMs : (parsePlayTime(start) ?? startMs);
    return createChapter(startMs, title, href, image);
  });
}

/** Chapters as the interface answers them, in their order. */
export function chapterItems(chapters: readonly Chapter[]): ChapterItem[] {
  return chapters.map(({ startMs, title, href = '', image = '' }) => ({
    start: formatPlayTime(startMs),
    title,
    href,
    image,
  }));
}

/** A chapter as it stands in a document. */
export interface FoundChapter {
  /** Where it stands, as its problems name it: `line 3`. */
  place: string;
  /** Undefined for what is no time. */
  startMs: number | undefined;
  title: string;
  href?: string | undefined;
  image?: string | undefined;
}

/**
 * Checks the chapters of a document. One without a time, or behind the end of the episode, is left out; so is a link
 * that leads nowhere. Only a document that is mostly unreadable is refused.
 *
 * @returns chapters in the order of their times
 */
export function checkChapters(
  found: readonly (FoundChapter | Problem)[],
  durationMs?: number,
): PartialReading<Chapter[]> {
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
  return toPartialReading(sortByStart(chapters), omitted, {
    read: chapters.length,
    unread: found.length - chapters.length,
  });
}

function checkChapter(
  { place: field, startMs, title, ...links }: FoundChapter,
  durationMs: number | undefined,
): Problem | { chapter: Chapter; omitted: Problem[] } {
  if (startMs === undefined) return { field, problem: 'has no time such as 00:01:30.000' };
  if (durationMs !== undefined && isBehind(startMs, durationMs))
    return { field, problem: describeLateChapter(startMs, durationMs) };
  if (title.length > MAX_TITLE_LENGTH)
    return { field, problem: `has a title of more than ${MAX_TITLE_LENGTH} characters` };
  const omitted: Problem[] = [];
  const check = (name: 'href' | 'image'): string | undefined => {
    const { [name]: text = '' } = links;
    if (text.length <= MAX_ADDRESS_LENGTH && isSafeLink(text)) return text;
    const problem =
      text.length > MAX_ADDRESS_LENGTH ? `of more than ${MAX_ADDRESS_LENGTH} characters` : 'that is no web address';
    omitted.push({ field, problem: `has an ${name} ${problem}` });
    return undefined;
  };
  return { chapter: createChapter(startMs, title, check('href'), check('image')), omitted };
}

/** Describes why a chapter is not part of an episode. */
export function describeLateChapter(startMs: number, durationMs: number): string {
  return `begins at ${formatPlayTime(startMs)}, and the episode ends at ${formatPlayTime(durationMs)}`;
}

function isBehind(startMs: number, durationMs: number): boolean {
  return durationMs > 0 && startMs >= durationMs;
}

/** Returns the chapters that begin before the episode ends. @param durationMs 0 while it is unknown */
export function chaptersWithin<T extends { startMs: number }>(chapters: readonly T[], durationMs: number): T[] {
  return chapters.filter(({ startMs }) => !isBehind(startMs, durationMs));
}

export function sortByStart<T extends { startMs: number }>(chapters: readonly T[]): T[] {
  return chapters.toSorted((a, b) => a.startMs - b.startMs);
}

function createChapter(startMs: number, title: string, href = '', image = ''): Chapter {
  return { startMs, title, ...(href && { href }), ...(image && { image }) };
}
