import { fillText, findElement } from '../find-element.ts';
import { findText } from './find-text.ts';
import { OwnScroll, scrollTarget } from './follow-scroll.ts';
import type { Playback } from './playback.ts';
import { cueAt } from './times.ts';

const FOUND = 'found';
const CURRENT = 'found-current';

/** Makes the transcript follow playback, play from a clicked sentence, and searchable. */
export function startTranscript(transcript: HTMLElement, playback: Playback): void {
  const box = findElement(transcript, '.transcript__text', HTMLElement);
  const sentences = [...box.querySelectorAll<HTMLElement>('[data-start]')];
  const follow = followVoice(transcript, box, sentences, playback);
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
function followVoice(
  transcript: HTMLElement,
  box: HTMLElement,
  sentences: readonly HTMLElement[],
  { audio, position }: Playback,
): (on: boolean) => void {
  const starts = sentences.map(({ dataset }) => Number(dataset['start']));
  const ends = sentences.map(({ dataset }) => Number(dataset['end']));
  const button = findElement(transcript, '[data-follow]', HTMLElement);
  const own = new OwnScroll(box.scrollTop);
  let isFollowing = true;
  let current: HTMLElement | undefined;
  const keepInSight = (): void => {
    const isMarking = getSelection()?.isCollapsed === false && box.contains(getSelection()?.anchorNode ?? null);
    if (!isFollowing || !current || isMarking) return;
    const top = box.scrollTop;
    const boxEdge = box.getBoundingClientRect().top + box.clientTop;
    const place = current.getBoundingClientRect();
    const to = scrollTarget({
      top,
      height: box.clientHeight,
      contentHeight: box.scrollHeight,
      sentence: { top: place.top - boxEdge + top, height: place.height },
    });
    if (to === undefined) return;
    own.begin(top, to);
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    box.scrollTo({ top: to, behavior: isCalm ? 'instant' : 'smooth' });
  };
  const follow = (on: boolean): void => {
    isFollowing = on;
    button.setAttribute('aria-pressed', String(on));
    own.begin(box.scrollTop, box.scrollTop);
    keepInSight();
  };
  const show = (): void => {
    const heard = sentences[cueAt(starts, ends, position())];
    if (heard === current) return;
    current?.removeAttribute('aria-current');
    current = heard;
    current?.setAttribute('aria-current', 'true');
    keepInSight();
  };
  for (const event of ['timeupdate', 'seeking']) audio.addEventListener(event, show);
  audio.addEventListener('play', keepInSight);
  box.addEventListener('scroll', () => {
    if (isFollowing && !own.explains(box.scrollTop)) follow(false);
  });
  // A resize moves the sentences, which doesn't count as scrolling.
  new ResizeObserver(() => {
    own.begin(box.scrollTop, box.scrollTop);
    keepInSight();
  }).observe(box);
  button.addEventListener('click', () => follow(!isFollowing));
  return follow;
}

/** Highlights all matches, and steps through them. */
function startSearch(
  transcript: HTMLElement,
  box: HTMLElement,
  sentences: readonly HTMLElement[],
  leave: () => void,
): void {
  const input = findElement(transcript, 'input', HTMLInputElement);
  const count = findElement(transcript, '.transcript__count', HTMLElement);
  const steps = findElement(transcript, '.transcript__found', HTMLElement);
  let places: Range[] = [];
  let shown = 0;
  const showPlace = (): void => {
    const place = places[shown];
    mark(CURRENT, place ? [place] : []);
    fillText(
      count,
      { current: String(shown + 1), count: String(places.length) },
      place ? count.dataset['text'] : input.value.trim() === '' ? '' : count.dataset['none'],
    );
    if (!place) return;
    leave();
    const { top, height } = place.getBoundingClientRect();
    const edge = box.getBoundingClientRect();
    box.scrollTop += top - edge.top - (edge.height - height) / 2;
  };
  const search = (): void => {
    places = sentences.flatMap((sentence) => rangesIn(sentence, input.value));
    shown = 0;
    steps.hidden = places.length < 2;
    mark(FOUND, places);
    showPlace();
  };
  const step = (by: number): void => {
    if (places.length === 0) return;
    shown = (shown + by + places.length) % places.length;
    showPlace();
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
