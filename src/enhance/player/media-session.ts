import type { Chapters } from './chapters.ts';
import type { Playback } from './playback.ts';

/** Media Session: title and cover on the lock screen, and the keys of headphones and keyboards. */
export function startMediaSession(player: HTMLElement, playback: Playback, chapters: Chapters): void {
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
