import { readStored, writeStored } from '../storage.ts';

/** Interval at which the position is stored, in seconds. */
const STORE_EVERY = 5;

export type Playback = ReturnType<typeof createPlayback>;

/**
 * Controls playback and its position, even before the file is loaded on play. Times are in seconds.
 *
 * @param episode GUID, and the duration until the file is loaded.
 */
export function createPlayback(
  audio: HTMLAudioElement,
  { guid, duration: declared }: { guid: string; duration: number },
) {
  let pendingSeek: number | undefined;
  let storedPosition = 0;
  const duration = (): number => (Number.isFinite(audio.duration) ? audio.duration : declared);
  /** Returns the current position, or where playback will start. */
  const position = (): number => pendingSeek ?? audio.currentTime;
  const seek = (seconds: number): void => {
    const target = Math.min(Math.max(seconds, 0), duration());
    if (audio.readyState === HTMLMediaElement.HAVE_NOTHING) {
      pendingSeek = target;
      audio.dispatchEvent(new Event('timeupdate'));
    } else audio.currentTime = target;
  };
  const play = (): void => {
    // Retries a file that failed to load earlier.
    if (audio.networkState === HTMLMediaElement.NETWORK_NO_SOURCE || audio.error) audio.load();
    // Rejected without a user gesture, or if no file loads, for which the element fires its own event.
    audio.play().catch(() => undefined);
  };
  const storePosition = (): void => {
    storedPosition = position();
    savePosition(guid, storedPosition, duration());
  };
  audio.addEventListener('loadedmetadata', () => {
    if (pendingSeek !== undefined) audio.currentTime = Math.min(pendingSeek, duration());
    pendingSeek = undefined;
  });
  audio.addEventListener('timeupdate', () => {
    if (!audio.paused && Math.abs(position() - storedPosition) >= STORE_EVERY) storePosition();
  });
  for (const event of ['pause', 'seeked', 'ended']) audio.addEventListener(event, storePosition);
  addEventListener('pagehide', () => {
    if (!audio.paused) storePosition();
  });
  // Only one player at a time.
  audio.addEventListener('play', () => {
    for (const other of document.querySelectorAll('audio')) if (other !== audio) other.pause();
  });
  return { audio, position, duration, seek, play, toggle: (): void => (audio.paused ? play() : audio.pause()) };
}

/** Stored only on the visitor's device, if the browser allows it. */
const POSITION = 'podcast-position:';
const SPEED = 'podcast-speed';

/** Positions this close to the start or the end aren't stored, in seconds. */
const MIN_STORED = 5;
const SPEEDS = { slowest: 0.5, fastest: 3 };

/** Returns where to resume an episode; undefined to start at its beginning. */
export function resumeAt(guid: string, duration: number): number | undefined {
  const seconds = Number(readStored(POSITION + guid));
  return seconds > 0 && seconds < duration ? seconds : undefined;
}

function savePosition(guid: string, seconds: number, duration: number): void {
  const isStored = seconds >= MIN_STORED && duration - seconds >= MIN_STORED;
  writeStored(POSITION + guid, isStored ? seconds.toFixed(1) : undefined);
}

export function loadSpeed(): number {
  const speed = Number(readStored(SPEED));
  return speed >= SPEEDS.slowest && speed <= SPEEDS.fastest ? speed : 1;
}

export function saveSpeed(speed: number): void {
  writeStored(SPEED, speed === 1 ? undefined : String(speed));
}
