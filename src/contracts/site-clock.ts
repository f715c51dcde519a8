const formats = new Map<string, Intl.DateTimeFormat>();

/** True if there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return formatFor(name) !== undefined;
  } catch {
    return false;
  }
}

/** A moment as the clock on the site's wall shows it: `2026-11-21 10:00:00`. */
export function toSiteTime(moment: Date, timeZone: string): string {
  return writeWallClock(new Date(wallClockAt(moment, timeZone)));
}

/**
 * The moment a wall clock of the site shows a time. Of a time that the clock skips in spring, the moment as long
 * after the switch; of one that it shows twice in autumn, the first.
 */
export function fromSiteTime(wallClock: string, timeZone: string): Date {
  const shown = readWallClock(wallClock);
  const before = shown - offsetAt(new Date(shown - DAY_MS), timeZone);
  const after = shown - offsetAt(new Date(shown + DAY_MS), timeZone);
  const fits = [before, after].find((moment) => wallClockAt(new Date(moment), timeZone) === shown);
  return new Date(fits ?? before);
}

/** The same wall-clock time in UTC. */
export function toUtc(wallClock: string, timeZone: string): string {
  return writeWallClock(fromSiteTime(wallClock, timeZone));
}

/** How far the site's clock is ahead of UTC at a moment, in hours. */
export function offsetHours(moment: Date, timeZone: string): number {
  return offsetAt(moment, timeZone) / HOUR_MS;
}

/**
 * A time as the wire writes it, as site time: with a zone it is converted, without one it already is. Fractions
 * are dropped, days that a month does not have roll over.
 *
 * @param text matches `wireDateTime`
 */
export function readWireTime(text: string, timeZone: string): string {
  const [, day = '', time = '', zone] = WIRE_TIME.exec(text) ?? [];
  const shown = readWallClock(`${day} ${time}`);
  if (zone === undefined) return writeWallClock(new Date(shown));
  return toSiteTime(new Date(shown - zoneOffset(zone)), timeZone);
}

/** The moment of a time on the wire: to the second, also of an hour that the site's clock shows twice. */
export function readWireMoment(text: string, timeZone: string): Date {
  const [, day = '', time = '', zone] = WIRE_TIME.exec(text) ?? [];
  const shown = `${day} ${time}`;
  return zone === undefined ? fromSiteTime(shown, timeZone) : new Date(readWallClock(shown) - zoneOffset(zone));
}

const WIRE_TIME = /^(.{10}).(.{8})(?:\.\d+)?(Z|[+-].+)?$/i;
/** The last that the wire has digits for. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59);

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

function zoneOffset(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 * 1000;
  return sign === '-' ? -offset : offset;
}

function offsetAt(moment: Date, timeZone: string): number {
  return wallClockAt(moment, timeZone) - Math.floor(moment.getTime() / 1000) * 1000;
}

/** Time that the wall clock shows, as if it were UTC. */
function wallClockAt(moment: Date, timeZone: string): number {
  const second = Math.floor(moment.getTime() / 1000);
  const last = lastShown.get(timeZone);
  if (last?.second === second) return last.shown;
  const shown = readClock(moment, timeZone);
  lastShown.set(timeZone, { second, shown });
  return shown;
}

/** Written content has several times of one second. */
const lastShown = new Map<string, { second: number; shown: number }>();

function readClock(moment: Date, timeZone: string): number {
  const parts = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const number = (name: string) => Number(parts[name]);
  return Date.UTC(
    number('year'),
    number('month') - 1,
    number('day'),
    number('hour'),
    number('minute'),
    number('second'),
  );
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn-hc-h23', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}

function readWallClock(text: string): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (text.match(/\d+/g) ?? []).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function writeWallClock(shown: Date): string {
  return new Date(Math.min(shown.getTime(), LATEST)).toISOString().slice(0, 19).replace('T', ' ');
}
