import { readWireMoment, toSiteTime, toUtc } from '#origin/platform/site/index.ts';

export interface StoredDates {
  /** Site time. */
  date: string;
  /** UTC; null while the date floats, that is moves with every save until it is set or the row is published. */
  dateGmt: string | null;
}

export interface SentDates {
  date?: string | null | undefined;
  date_gmt?: string | null | undefined;
}

export interface DatePlan extends StoredDates {
  status: string;
}

/** Statuses in which a date may float. */
const FLOATING = new Set(['draft', 'pending', 'auto-draft']);

/** What is due sooner than this is published at once. */
const SOON_MS = 60_000;

/**
 * Decides the date of a row and whether it is published now or later. `date` counts more than `date_gmt`; null for
 * either takes the date back. A date that is the present one again changes nothing.
 */
export function planDates(
  sent: SentDates,
  about: { before: (StoredDates & { status: string }) | undefined; status: string; now: Date; timeZone: string },
): DatePlan {
  const dates = chooseDates(sent, about);
  return { ...dates, status: statusAt(dates, about) };
}

type About = Parameters<typeof planDates>[1];

function chooseDates(sent: SentDates, { before, status, now, timeZone }: About): StoredDates {
  const present = fromMoment(now, timeZone);
  const unset: StoredDates = FLOATING.has(status) ? { ...present, dateGmt: null } : present;
  if (sent.date === null || sent.date_gmt === null) return unset;
  const set = readSent(sent, timeZone);
  if (set && (!before || !isSame(sent, set, before, timeZone))) return set;
  if (!before) return unset;
  if (before.dateGmt === null && FLOATING.has(before.status) && status !== 'trash') return unset;
  const stays = before.dateGmt === null && (FLOATING.has(status) || status === 'trash');
  return { date: before.date, dateGmt: stays ? null : (before.dateGmt ?? toUtc(before.date, timeZone)) };
}

function readSent({ date, date_gmt: gmt }: SentDates, timeZone: string): StoredDates | undefined {
  if (date) return fromMoment(readWireMoment(date, timeZone), timeZone);
  return gmt ? fromMoment(readWireMoment(gmt, 'UTC'), timeZone) : undefined;
}

function isSame({ date }: SentDates, set: StoredDates, before: StoredDates, timeZone: string): boolean {
  return date ? set.date === before.date : set.dateGmt === (before.dateGmt ?? toUtc(before.date, timeZone));
}

function fromMoment(moment: Date, timeZone: string): StoredDates {
  return { date: toSiteTime(moment, timeZone), dateGmt: toSiteTime(moment, 'UTC') };
}

function statusAt({ dateGmt }: StoredDates, { status, now }: About): string {
  if (status !== 'publish' && status !== 'future') return status;
  const isLater = dateGmt !== null && Date.parse(`${dateGmt}Z`) - Math.floor(now.getTime() / 1000) * 1000 >= SOON_MS;
  return isLater ? 'future' : 'publish';
}
