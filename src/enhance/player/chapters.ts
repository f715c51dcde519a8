import type { Playback } from './playback.ts';
import { parsePlayTime } from '#contracts/podcast/play-time.ts';

export interface Chapter {
  /** In seconds. */
  start: number;
  title: string;
}

export type Chapters = ReturnType<typeof readChapters>;

export function readChapters(player: HTMLElement) {
  const list: readonly Chapter[] = [...player.querySelectorAll<HTMLElement>('.chapter__jump')].map((link) => ({
    start: Number(link.dataset['jump']),
    title: link.querySelector('.chapter__title')?.textContent ?? '',
  }));
  const starts = list.map(({ start }) => start);
  return {
    list,
    /** Returns the chapter at a time; undefined before the first. */
    at: (seconds: number) => list[findLastStart(starts, seconds)],
    /** Returns the chapter that many steps after the current one; negative steps go back. */
    beside: (seconds: number, steps: number) => list[findLastStart(starts, seconds) + steps],
    drawMarks: (container: HTMLElement, duration: number) => {
      const marks = starts.filter((start) => start > 0 && start < duration);
      container.replaceChildren(
        ...marks.map((start) => {
          const mark = document.createElement('span');
          mark.style.insetInlineStart = `${(start / duration) * 100}%`;
          return mark;
        }),
      );
    },
  };
}

export function markCurrentChapter(player: HTMLElement, { audio, position }: Playback, chapters: Chapters): void {
  const links = player.querySelectorAll('.chapter__jump');
  const now = player.querySelector<HTMLElement>('[data-now]');
  let marked: Chapter | undefined;
  const show = (): void => {
    const current = chapters.at(position());
    if (current === marked) return;
    marked = current;
    for (const [i, link] of links.entries())
      if (chapters.list[i] === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    if (now && current) now.textContent = current.title;
  };
  for (const event of ['timeupdate', 'seeking']) audio.addEventListener(event, show);
}

/** Longer hashes contain no timestamp. */
const MAX_HASH_LENGTH = 200;

/** Parses the timestamp of a URL, `#t=12:30`, in seconds (Media Fragments 1.0); undefined if there is none. */
export function parseTimeFragment(hash: string): number | undefined {
  if (hash.length > MAX_HASH_LENGTH) return undefined;
  const [start = ''] = (new URLSearchParams(hash.replace(/^#/, '')).get('t') ?? '').replace(/^npt:/, '').split(',');
  const ms = parsePlayTime(start);
  return ms === undefined ? undefined : ms / 1000;
}

/**
 * Returns the index of the last start at or before a time; -1 before the first.
 *
 * @param starts Sorted, in seconds.
 */
export function findLastStart(starts: readonly number[], seconds: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? Infinity) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A cue that starts within this many seconds is shown in advance. */
const MAX_AHEAD = 4;

/**
 * Returns the index of the cue at a time, or of the next one if it starts soon; -1 in a longer pause.
 *
 * @param starts Sorted, in seconds; `ends` belong to the same cues.
 */
export function findCue(starts: readonly number[], ends: readonly number[], seconds: number): number {
  const last = findLastStart(starts, seconds);
  if (seconds < (ends[last] ?? -Infinity)) return last;
  return (starts[last + 1] ?? Infinity) - seconds <= MAX_AHEAD ? last + 1 : -1;
}

const UNITS = ['hour', 'minute', 'second'] as const;

/** Formats a duration for screen readers: `1 Stunde, 2 Minuten und 5 Sekunden`. */
export function spokenTime(seconds: number, lang: string): string {
  const whole = Math.floor(seconds);
  const amounts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const parts = UNITS.flatMap((unit, i) => {
    const amount = amounts[i] ?? 0;
    if (amount === 0 && !(unit === 'second' && whole === 0)) return [];
    return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
  });
  return new Intl.ListFormat(lang, { type: 'unit' }).format(parts);
}
