/** Time zone of all displayed dates; a fixed zone makes builds reproducible. */
export const TIME_ZONE = 'Europe/Berlin';

/** Creating a format takes 300 µs, using it 1 µs. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function isTimeZone(name: string): boolean {
  try {
    return formatFor(name) !== undefined;
  } catch {
    return false;
  }
}

/** Formats a date as local time of the site: `2026-11-21 10:00:00`. */
export function toSiteTime(date: Date, timeZone: string): string {
  return writeWallClock(new Date(wallClockAt(date, timeZone)));
}

/**
 * Converts local time of the site to a date. A time skipped in spring is shifted by the offset change; of an ambiguous
 * time in autumn, the first occurrence counts.
 */
export function fromSiteTime(wallClock: string, timeZone: string): Date {
  const localMs = readWallClock(wallClock);
  const before = localMs - offsetAt(new Date(localMs - DAY_MS), timeZone);
  const after = localMs - offsetAt(new Date(localMs + DAY_MS), timeZone);
  const match = [before, after].find((date) => wallClockAt(new Date(date), timeZone) === localMs);
  return new Date(match ?? before);
}

/** Converts local time of the site to UTC in the same format. */
export function toUtc(wallClock: string, timeZone: string): string {
  return writeWallClock(fromSiteTime(wallClock, timeZone));
}

/** Returns the UTC offset of the site at a date, in hours. */
export function offsetHours(date: Date, timeZone: string): number {
  return offsetAt(date, timeZone) / HOUR_MS;
}

/**
 * Parses a time of the interface as local time of the site. A time with a zone is converted. Fractions are dropped, and
 * days beyond the end of a month roll over.
 *
 * @param text matches `wireDateTime`
 */
export function parseSiteTime(text: string, timeZone: string): string {
  const [, day = '', time = '', zone] = WIRE_TIME.exec(text) ?? [];
  const localMs = readWallClock(`${day} ${time}`);
  if (zone === undefined) return writeWallClock(new Date(localMs));
  return toSiteTime(new Date(localMs - zoneOffset(zone)), timeZone);
}

/** Parses a time of the interface as a date, to the second. With a zone, ambiguous local times are exact. */
export function parseSiteDate(text: string, timeZone: string): Date {
  const [, day = '', time = '', zone] = WIRE_TIME.exec(text) ?? [];
  const localTime = `${day} ${time}`;
  return zone === undefined ? fromSiteTime(localTime, timeZone) : new Date(readWallClock(localTime) - zoneOffset(zone));
}

const WIRE_TIME = /^(.{10}).(.{8})(?:\.\d+)?(Z|[+-].+)?$/i;
/** Latest time with a four-digit year. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59);

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

function zoneOffset(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 * 1000;
  return sign === '-' ? -offset : offset;
}

function offsetAt(date: Date, timeZone: string): number {
  return wallClockAt(date, timeZone) - Math.floor(date.getTime() / 1000) * 1000;
}

/** Local time as milliseconds, as if it were UTC. */
function wallClockAt(date: Date, timeZone: string): number {
  return readWallClock(formatFor(timeZone).format(date));
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  // Swedish dates are ISO dates.
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format;
}

function readWallClock(text: string): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (text.match(/\d+/g) ?? []).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function writeWallClock(clock: Date): string {
  return new Date(Math.min(clock.getTime(), LATEST)).toISOString().slice(0, 19).replace('T', ' ');
}
