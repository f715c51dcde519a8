import { z } from 'zod';
import type { Problem, Reading } from '../read-value.ts';
import { playTime } from './answers.ts';
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

/** Most problems that are reported of a document. */
export const MAX_PROBLEMS = 20;

/** A chapter as the interface answers it: what is unset is empty. */
export const chapterItem = z.object({
  start: z.string().meta({ description: 'Normal play time' }),
  title: z.string(),
  href: z.string(),
  image: z.string(),
});
export type ChapterItem = z.output<typeof chapterItem>;

const link = z
  .string()
  .max(MAX_ADDRESS_LENGTH)
  .refine(isSafeLink, { error: 'is not an address that a page may link to' });

const writtenChapter = z.object({
  start: playTime.optional(),
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

/** The chapters of a document, or all that is wrong with them; in a document they stand in the order of their times. */
export function checkChapters(found: readonly FoundChapter[]): Reading<Chapter[]> {
  if (found.length > MAX_CHAPTERS) {
    const problem = `holds ${found.length} chapters; at most ${MAX_CHAPTERS} are read`;
    return { ok: false, problems: [{ field: '', problem }] };
  }
  const problems = found.flatMap((chapter, i): Problem[] =>
    [...problemsOf(chapter, found[i - 1])].map((problem) => ({ field: chapter.place, problem })),
  );
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
  const chapters = found.map(({ startMs = 0, title, href, image }) => createChapter(startMs, title, href, image));
  return { ok: true, value: chapters };
}

function* problemsOf(
  { startMs, title, href = '', image = '' }: FoundChapter,
  previous: FoundChapter | undefined,
): Generator<string> {
  if (startMs === undefined) yield 'has no time such as 00:01:30.000';
  else if (previous?.startMs !== undefined && startMs < previous.startMs) {
    yield `begins at ${formatPlayTime(startMs)}, before the chapter in front of it`;
  }
  if (title.length > MAX_TITLE_LENGTH) yield `has a title of more than ${MAX_TITLE_LENGTH} characters`;
  for (const [name, text] of Object.entries({ href, image })) {
    if (text.length > MAX_ADDRESS_LENGTH) yield `has an ${name} of more than ${MAX_ADDRESS_LENGTH} characters`;
    else if (!isSafeLink(text)) yield `has an ${name} that is no web address`;
  }
}

function createChapter(startMs: number, title: string, href = '', image = ''): Chapter {
  return { startMs, title, ...(href && { href }), ...(image && { image }) };
}
