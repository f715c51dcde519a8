import { fillText, findElement } from '../find-element.ts';
import { findText } from './find-text.ts';
import { ScriptScroll, scrollTarget } from './script-scroll.ts';
import type { Playback } from './playback.ts';
import { findCue } from './times.ts';

const FOUND = 'found';
const CURRENT = 'found-current';

/** Makes the transcript follow playback, play from a clicked sentence, and searchable. */
export function startTranscript(transcript: HTMLElement, playback: Playback): void {
  const box = findElement(transcript, '.transcript__text', HTMLElement);
  const sentences = [...box.querySelectorAll<HTMLElement>('[data-start]')];
  const follow = followPlayback(transcript, box, sentences, playback);
  startSearch(transcript, box, sentences, () => follow(false));
  box.addEventListener('click', ({ target }) => {
    const sentence = target instanceof Element ? target.closest<HTMLElement>('span[data-start]') : null;
    // Selecting text is not a click.
    if (!sentence || getSelection()?.isCollapsed === false) return;
    follow(true);
    playback.seek(Number(sentence.dataset['start']));
    playback.play();
  });
  findElement(transcript, '.transcript__tools', HTMLElement).hidden = false;
  transcript.classList.add('is-live');
}

/** Marks the current sentence and keeps it in view, until the visitor scrolls elsewhere. */
function followPlayback(
  transcript: HTMLElement,
  box: HTMLElement,
  sentences: readonly HTMLElement[],
  { audio, position }: Playback,
): (on: boolean) => void {
  const starts = sentences.map(({ dataset }) => Number(dataset['start']));
  const ends = sentences.map(({ dataset }) => Number(dataset['end']));
  const button = findElement(transcript, '[data-follow]', HTMLElement);
  const scriptScroll = new ScriptScroll(box.scrollTop);
  let isFollowing = true;
  let current: HTMLElement | undefined;
  const scrollToCurrent = (): void => {
    const isMarking = getSelection()?.isCollapsed === false && box.contains(getSelection()?.anchorNode ?? null);
    if (!isFollowing || !current || isMarking) return;
    const top = box.scrollTop;
    const boxEdge = box.getBoundingClientRect().top + box.clientTop;
    const rect = current.getBoundingClientRect();
    const to = scrollTarget({
      top,
      height: box.clientHeight,
      contentHeight: box.scrollHeight,
      sentence: { top: rect.top - boxEdge + top, height: rect.height },
    });
    if (to === undefined) return;
    scriptScroll.begin(top, to);
    const isReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    box.scrollTo({ top: to, behavior: isReducedMotion ? 'instant' : 'smooth' });
  };
  const follow = (on: boolean): void => {
    isFollowing = on;
    button.setAttribute('aria-pressed', String(on));
    scriptScroll.begin(box.scrollTop, box.scrollTop);
    scrollToCurrent();
  };
  const show = (): void => {
    const spoken = sentences[findCue(starts, ends, position())];
    if (spoken === current) return;
    current?.removeAttribute('aria-current');
    current = spoken;
    current?.setAttribute('aria-current', 'true');
    scrollToCurrent();
  };
  for (const event of ['timeupdate', 'seeking']) audio.addEventListener(event, show);
  audio.addEventListener('play', scrollToCurrent);
  box.addEventListener('scroll', () => {
    if (isFollowing && !scriptScroll.explains(box.scrollTop)) follow(false);
  });
  // A resize moves the sentences, which doesn't count as scrolling.
  new ResizeObserver(() => {
    scriptScroll.begin(box.scrollTop, box.scrollTop);
    scrollToCurrent();
  }).observe(box);
  button.addEventListener('click', () => follow(!isFollowing));
  return follow;
}

/** Highlights all matches, and steps through them. */
function startSearch(
  transcript: HTMLElement,
  box: HTMLElement,
  sentences: readonly HTMLElement[],
  stopFollowing: () => void,
): void {
  const input = findElement(transcript, 'input', HTMLInputElement);
  const count = findElement(transcript, '.transcript__count', HTMLElement);
  const steps = findElement(transcript, '.transcript__found', HTMLElement);
  let matches: Range[] = [];
  let shown = 0;
  const showMatch = (): void => {
    const match = matches[shown];
    mark(CURRENT, match ? [match] : []);
    fillText(
      count,
      { current: String(shown + 1), count: String(matches.length) },
      match ? count.dataset['text'] : input.value.trim() === '' ? '' : count.dataset['none'],
    );
    if (!match) return;
    stopFollowing();
    const { top, height } = match.getBoundingClientRect();
    const edge = box.getBoundingClientRect();
    box.scrollTop += top - edge.top - (edge.height - height) / 2;
  };
  const search = (): void => {
    matches = sentences.flatMap((sentence) => rangesIn(sentence, input.value));
    shown = 0;
    steps.hidden = matches.length < 2;
    mark(FOUND, matches);
    showMatch();
  };
  const step = (by: number): void => {
    if (matches.length === 0) return;
    shown = (shown + by + matches.length) % matches.length;
    showMatch();
  };
  input.addEventListener('input', search);
  input.addEventListener('keydown', ({ key, shiftKey }) => {
    if (key === 'Enter') step(shiftKey ? -1 : 1);
  });
  for (const button of steps.querySelectorAll<HTMLElement>('[data-find]'))
    button.addEventListener('click', () => step(Number(button.dataset['find'])));
}

function rangesIn(sentence: HTMLElement, sought: string): Range[] {
  const text = sentence.firstChild;
  if (!text) return [];
  return findText(text.textContent ?? '', sought).map(([start, end]) => {
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, end);
    return range;
  });
}

/** Older browsers count matches and scroll to them, without highlights. */
function mark(name: string, ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}
