import { shortPlayTime } from '#contracts/podcast/play-time.ts';
import { fillPlaceholders, findElement, fillText } from './find-element.ts';
import { markCurrentChapter, readChapters, type Chapters, parseTimeFragment, findCue } from './player/chapters.ts';
import { startControls, type ControlTexts } from './player/controls.ts';
import { createPlayback, resumeAt, type Playback } from './player/playback.ts';

type Texts = ControlTexts & Readonly<Record<'resume' | 'copied', string>>;

for (const [i, player] of document.querySelectorAll<HTMLElement>('[data-player]').entries())
  startPlayer(player, i === 0);

/**
 * Replaces the browser's control with the player.
 *
 * @param isFirst True if the URL's timestamps refer to this player.
 */
function startPlayer(player: HTMLElement, isFirst: boolean): void {
  const { player: guid = '', duration = '0', texts: words = '{}' } = player.dataset;
  const texts = JSON.parse(words) as Texts;
  const playback = createPlayback(findElement(player, 'audio', HTMLAudioElement), { guid, duration: Number(duration) });
  const { audio, position, seek, play } = playback;
  const chapters = readChapters(player);
  const setStatus = (text: string): void => {
    findElement(player, '[data-status]', HTMLElement).textContent = text;
  };
  startControls(player, playback, chapters, texts);
  markCurrentChapter(player, playback, chapters);
  startMediaSession(player, playback, chapters);
  const transcript = player.querySelector<HTMLElement>('[data-transcript]');
  if (transcript) startTranscript(transcript, playback);
  const share = player.querySelector<HTMLDetailsElement>('details[data-share]');
  if (share) startShare(share, playback, texts.copied);
  watchFailure(player, audio);

  for (const link of player.querySelectorAll<HTMLAnchorElement>('a[data-jump]'))
    link.href = `#t=${shortPlayTime(Number(link.dataset['jump']) * 1000)}`;
  /** URLs contain whole seconds: prefer a chapter that starts within that second. */
  const snapToChapter = (seconds: number): number =>
    chapters.list.find(({ start }) => start >= seconds && start - seconds < 1)?.start ?? seconds;
  const jump = (seconds: number): void => {
    seek(seconds);
    play();
    setStatus([chapters.at(position())?.title, shortPlayTime(position() * 1000)].filter(Boolean).join(', '));
  };
  const isForPlayer = (link: Element): boolean => player.contains(link) || (isFirst && !link.closest('[data-player]'));
  document.addEventListener('click', (event) => {
    const { target, ctrlKey, metaKey, shiftKey } = event;
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#t="]') : null;
    const moment = link ? parseTimeFragment(link.hash) : undefined;
    if (!link || moment === undefined || !isForPlayer(link) || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    history.replaceState(history.state, '', link.hash);
    jump(Number(link.dataset['jump'] ?? snapToChapter(moment)));
  });
  const requested = isFirst ? parseTimeFragment(location.hash) : undefined;
  const resumeTime = resumeAt(guid, Number(duration));
  if (requested !== undefined) seek(snapToChapter(requested));
  else if (resumeTime !== undefined) {
    seek(resumeTime);
    setStatus(fillPlaceholders(texts.resume, { time: shortPlayTime(resumeTime * 1000) }));
  }
  if (isFirst)
    addEventListener('hashchange', () => {
      const moment = parseTimeFragment(location.hash);
      if (moment !== undefined) jump(snapToChapter(moment));
    });
}

/** Shows a message if no file can be played, which the error of the last source indicates. */
function watchFailure(player: HTMLElement, audio: HTMLAudioElement): void {
  const message = findElement(player, '[data-failed]', HTMLElement);
  const showFailure = (failed: boolean) => () => {
    message.hidden = !failed;
    // Playback would wait indefinitely.
    if (failed) audio.pause();
  };
  audio.querySelector('source:last-of-type')?.addEventListener('error', showFailure(true));
  audio.addEventListener('error', showFailure(true));
  audio.addEventListener('playing', showFailure(false));
}

/** How long a button confirms that it has copied. */
const COPIED_MS = 2000;

/** Copies or shares the link to the episode, optionally with the current position, and the embed code. */
function startShare(share: HTMLDetailsElement, { audio, position }: Playback, copied: string): void {
  const { share: address = '' } = share.dataset;
  const link = findElement(share, '[data-link]', HTMLInputElement);
  const from = findElement(share, '[data-from]', HTMLElement);
  const check = findElement(from, 'input', HTMLInputElement);
  const send = findElement(share, '[data-send]', HTMLElement);
  const show = (): void => {
    if (!share.open) return;
    const time = shortPlayTime(position() * 1000);
    fillText(findElement(from, 'span', HTMLElement), { time });
    from.hidden = position() < 1;
    link.value = check.checked && !from.hidden ? `${address}#t=${time}` : address;
  };
  for (const event of ['timeupdate', 'seeking']) audio.addEventListener(event, show);
  share.addEventListener('toggle', show);
  check.addEventListener('change', show);
  for (const button of share.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const field = share.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#${button.dataset['copy'] ?? ''}`);
    if (field) startCopy(button, field, copied);
  }
  send.hidden = !('share' in navigator);
  send.addEventListener('click', () => {
    // The share dialog was cancelled.
    navigator.share({ title: document.title, url: link.value }).catch(() => undefined);
  });
}

function startCopy(button: HTMLButtonElement, field: HTMLInputElement | HTMLTextAreaElement, copied: string): void {
  const name = button.textContent;
  button.hidden = false;
  button.addEventListener('click', () => {
    field.select();
    // The selected text can be copied manually if the clipboard is not accessible.
    void navigator.clipboard?.writeText(field.value).then(
      () => {
        button.textContent = copied;
        setTimeout(() => {
          button.textContent = name;
        }, COPIED_MS);
      },
      () => undefined,
    );
  });
}

/** Media Session: title and cover on the lock screen, and the keys of headphones and keyboards. */
function startMediaSession(player: HTMLElement, playback: Playback, chapters: Chapters): void {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  const { audio, position, duration, seek, play } = playback;
  const { title = '', show = '', artwork } = player.dataset;
  const images = artwork === undefined ? [] : [{ src: new URL(artwork, location.href).href }];
  let shown: string | undefined;
  const describe = (): void => {
    const chapter = chapters.at(position())?.title;
    if (shown !== undefined && shown === chapter) return;
    shown = chapter ?? '';
    mediaSession.metadata = new MediaMetadata({ title, artist: show, album: chapter ?? show, artwork: images });
  };
  const updatePosition = (): void => {
    if (duration() > 0)
      mediaSession.setPositionState({
        duration: duration(),
        position: Math.min(position(), duration()),
        playbackRate: audio.playbackRate,
      });
  };
  const toChapter = (steps: number) => () => {
    const chapter = chapters.beside(position(), steps);
    if (chapter) seek(chapter.start);
  };
  const actions: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play,
    pause: () => audio.pause(),
    stop: () => audio.pause(),
    seekbackward: ({ seekOffset = 15 }) => seek(position() - seekOffset),
    seekforward: ({ seekOffset = 30 }) => seek(position() + seekOffset),
    seekto: ({ seekTime }) => {
      if (seekTime !== undefined) seek(seekTime);
    },
    ...(chapters.list.length > 1 && { previoustrack: toChapter(-1), nexttrack: toChapter(1) }),
  };
  // With several players on a page, the active one owns the session.
  audio.addEventListener('play', () => {
    shown = undefined;
    describe();
    for (const [action, handler] of Object.entries(actions))
      try {
        mediaSession.setActionHandler(action as MediaSessionAction, handler);
      } catch {
        // This browser doesn't support the action.
      }
  });
  audio.addEventListener('timeupdate', () => {
    if (!audio.paused) describe();
  });
  for (const event of ['play', 'seeked', 'ratechange', 'durationchange'])
    audio.addEventListener(event, () => {
      if (!audio.paused) updatePosition();
    });
}

const FOUND = 'found';
const CURRENT = 'found-current';

/** Makes the transcript follow playback, play from a clicked sentence, and searchable. */
function startTranscript(transcript: HTMLElement, playback: Playback): void {
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

/**
 * Finds all occurrences of a text, ignoring case, accents and the kind of apostrophe.
 *
 * @returns None for a blank text.
 */
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
