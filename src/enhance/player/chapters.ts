import type { Playback } from './playback.ts';
import { findLastStart } from './times.ts';

export interface Chapter {
  /** In seconds. */
  start: number;
  title: string;
}

export interface Chapters {
  list: readonly Chapter[];
  /** Returns the chapter at a time; undefined before the first. */
  at: (seconds: number) => Chapter | undefined;
  /** Returns the chapter that many steps after the current one; negative steps go back. */
  beside: (seconds: number, steps: number) => Chapter | undefined;
  drawMarks: (container: HTMLElement, duration: number) => void;
}

/** Reads the chapters of the page. */
export function readChapters(player: HTMLElement): Chapters {
  const list = [...player.querySelectorAll<HTMLElement>('.chapter__jump')].map((link) => ({
    start: Number(link.dataset['jump']),
    title: link.querySelector('.chapter__title')?.textContent ?? '',
  }));
  const starts = list.map(({ start }) => start);
  return {
    list,
    at: (seconds) => list[findLastStart(starts, seconds)],
    beside: (seconds, steps) => list[findLastStart(starts, seconds) + steps],
    drawMarks: (container, duration) => {
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

/** Marks the current chapter. */
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
