import { parsePlayTime } from '#contracts/podcast/play-time.ts';

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
