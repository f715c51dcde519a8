import { shortPlayTime } from '#contracts/podcast/play-time.ts';
import { fillPlaceholders, findElement } from './find-element.ts';
import { markCurrentChapter, readChapters, parseTimeFragment } from './player/chapters.ts';
import { startControls, type ControlTexts } from './player/controls.ts';
import { startMediaSession } from './player/media-session.ts';
import { createPlayback, resumeAt } from './player/playback.ts';
import { startShare } from './player/share.ts';
import { startTranscript } from './player/transcript.ts';

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
