import { fillText, findElement } from '../find-element.ts';
import type { Playback } from './playback.ts';
import { findCue } from './chapters.ts';

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

/** Range of a match: first character, and the one after the last. */
type TextRange = readonly [start: number, end: number];

const MARKS = /\p{M}/gu;

/** Finds all occurrences of a text, ignoring case, accents and the kind of apostrophe; none of a blank text. */
export function findText(text: string, sought: string): TextRange[] {
  const needle = fold(sought.trim()).letters;
  if (needle === '') return [];
  const { letters, positions } = fold(text);
  const found: TextRange[] = [];
  for (let at = letters.indexOf(needle); at >= 0; at = letters.indexOf(needle, at + needle.length))
    found.push([positions[at] ?? 0, positions[at + needle.length] ?? text.length]);
  return found;
}

/** Normalizes a text for comparison, with the original position of each letter. */
function fold(text: string): { letters: string; positions: number[] } {
  let letters = '';
  const positions: number[] = [];
  let position = 0;
  for (const character of text) {
    const plain = character.normalize('NFD').replace(MARKS, '').toLowerCase();
    const folded = plain.replace(/\s/, ' ').replace('ß', 'ss').replace('’', "'");
    letters += folded;
    for (let i = 0; i < folded.length; i++) positions.push(position);
    position += character.length;
  }
  return { letters, positions };
}

/** Positions of a scrolling box and its current sentence, in CSS px from the top of the content. */
interface ScrolledBox {
  /** Scroll position and visible height. */
  top: number;
  height: number;
  /** Height of the content. */
  contentHeight: number;
  sentence: { top: number; height: number };
}

/** Rounding errors, including those of zoomed pages. */
const TOLERANCE = 3;

/** Relative position of the current sentence in the box. */
const READING_LINE = 0.33;

/** Returns the scroll position that shows the sentence; undefined while it is in view. */
export function scrollTarget({ top, height, contentHeight, sentence }: ScrolledBox): number | undefined {
  const isEasy = sentence.top >= top + height * 0.1 && sentence.top + sentence.height <= top + height * 0.75;
  if (isEasy) return undefined;
  const target = sentence.top - Math.max(0, Math.min(height * READING_LINE, height - sentence.height));
  const within = Math.round(Math.min(Math.max(target, 0), Math.max(contentHeight - height, 0)));
  return Math.abs(within - top) <= TOLERANCE ? undefined : within;
}

/** Distinguishes the visitor's scrolling from that of the script, which moves in one direction from start to target. */
export class ScriptScroll {
  #from: number;
  #to: number;

  constructor(top: number) {
    this.#from = top;
    this.#to = top;
  }

  begin(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
  }

  /** True if the script has scrolled the box to this position. */
  explains(top: number): boolean {
    const [low, high] = [Math.min(this.#from, this.#to), Math.max(this.#from, this.#to)];
    const isOnPath = top >= low - TOLERANCE && top <= high + TOLERANCE;
    if (isOnPath) this.#from = Math.min(Math.max(top, low), high);
    return isOnPath;
  }
}
