/** Maximum play time in hours; longer recordings don't exist. */
const MAX_HOURS = 9999;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** First millisecond after the maximum play time. */
const END_MS = (MAX_HOURS + 1) * HOUR_MS;

/** Maximum length of the text; the longest sensible one is `9999:59:59.` with a long fraction. */
const MAX_LETTERS = 40;

/** Hours, minutes, seconds and up to three digits of the fraction. */
const PLAY_TIME = /^(?:(?:(\d+):)?(\d+):)?(\d+)(?:\.(\d{1,3})\d*)?$/;

/**
 * Parses a normal play time (RFC 2326, section 3.6): `45`, `12.5`, `3:07`, `90:00`, `1:02:03.456`. Only the first part
 * may exceed 59. Digits beyond milliseconds are truncated.
 *
 * @returns milliseconds; undefined for an invalid time, such as `1:60`, `-5` and an empty text
 */
export function parsePlayTime(text: string): number | undefined {
  if (text.length > MAX_LETTERS) return undefined;
  const [, hours, minutes, seconds, fraction = ''] = PLAY_TIME.exec(text) ?? [];
  if (seconds === undefined || !isPart(minutes, hours) || !isPart(seconds, minutes)) return undefined;
  const whole = Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS + Number(seconds) * SECOND_MS;
  const ms = whole + Number(fraction.padEnd(3, '0'));
  return ms < END_MS ? ms : undefined;
}

/** Parses a play time of another program, which may have a comma before the fraction, as in SubRip. */
export function parseLenientPlayTime(text: string): number | undefined {
  return parsePlayTime(text.trim().replace(',', '.'));
}

/** True if minutes or seconds are valid after the preceding part. */
function isPart(digits: string | undefined, before: string | undefined): boolean {
  return before === undefined || digits === undefined || (digits.length <= 2 && Number(digits) <= 59);
}

/** Converts seconds from JSON to milliseconds; undefined if out of range. */
export function parseSeconds(seconds: number): number | undefined {
  const ms = Math.round(seconds * SECOND_MS);
  return ms >= 0 && ms < END_MS ? ms : undefined;
}

/** Formats a play time for the interface: `01:02:03.456`, with at least two digits of hours. */
export function formatPlayTime(ms: number): string {
  const { hours, minutes, seconds, rest } = partsOf(ms);
  return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}.${String(rest).padStart(3, '0')}`;
}

/** Formats a play time for labels and deep links (`#t=12:30`): `0:45`, `12:30`, `1:02:03`. */
export function shortPlayTime(ms: number): string {
  const { hours, minutes, seconds } = partsOf(ms);
  return hours === 0 ? `${minutes}:${twoDigits(seconds)}` : `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}`;
}

function partsOf(ms: number) {
  const whole = Number.isFinite(ms) ? Math.min(Math.max(Math.floor(ms), 0), END_MS - 1) : 0;
  return {
    hours: Math.floor(whole / HOUR_MS),
    minutes: Math.floor(whole / MINUTE_MS) % 60,
    seconds: Math.floor(whole / SECOND_MS) % 60,
    rest: whole % SECOND_MS,
  };
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
