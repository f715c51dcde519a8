import { shortPlayTime } from '#contracts/podcast/play-time.ts';
import { fillPlaceholders, findElement, fillText } from './find-element.ts';
import { markCurrentChapter, readChapters, parseTimeFragment, type Chapters } from './player/chapters.ts';
import { startControls, type ControlTexts } from './player/controls.ts';
import { createPlayback, resumeAt, type Playback } from './player/playback.ts';
import { startTranscript } from './player/transcript.ts';

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
        setTimeout(() => (button.textContent = name), COPIED_MS);
      },
      () => undefined,
    );
  });
}

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
