import type { StoredWarning } from '../read-value.ts';
import { readWireMoment, toSiteTime } from '../site-clock.ts';
import { wireDateTime } from '../wire.ts';
import { localDateTime } from './field.ts';

/** Fields in UTC, each with the field that says the same in the time zone of the site. */
const PAIRS = [
  ['date_gmt', 'date'],
  ['modified_gmt', 'modified'],
] as const;

/** Statuses in which a row needs no date. */
const UNDATED = new Set<unknown>(['draft', 'pending', 'auto-draft']);

const ADVICE = 'Correct the date at the publishing site: an import or a plug-in may have written it.';

/**
 * Rewrites the dates of a row in the form that the interface documents. Imports and plug-ins write others: zero dates,
 * nulls, offsets. An unreadable date is taken from the other field of its pair, or else from the other pair. A row
 * without any readable date stays as it is.
 * @param timeZone Of the site.
 */
export function repairDates(row: unknown, timeZone: string): { row: unknown; warnings: StoredWarning[] } {
  if (typeof row !== 'object' || row === null) return { row, warnings: [] };
  const given = new Map<string, unknown>(Object.entries(row));
  const isUndated = (gmt: string) => given.get(gmt) === null && UNDATED.has(given.get('status'));
  const pairs = PAIRS.filter(([gmt, local]) => (given.has(gmt) || given.has(local)) && !isUndated(gmt));
  const warnings: StoredWarning[] = [];
  const repaired = new Map(given);
  for (const pair of pairs) {
    const broken = pair.filter((name) => !localDateTime.safeParse(given.get(name)).success);
    for (const field of broken.filter((name) => given.has(name) || name === pair[0])) {
      const sources = [field, ...pair, ...pairs.flat()];
      const source = sources.find((name) => readMoment(given.get(name), zoneOf(name, timeZone)));
      const moment = source && readMoment(given.get(source), zoneOf(source, timeZone));
      if (!moment) continue;
      repaired.set(field, toSiteTime(moment, zoneOf(field, timeZone)).replace(' ', 'T'));
      const problem =
        source === field
          ? 'is not in the form that the interface documents'
          : `is not a date; "${source}" in the time zone ${zoneOf(source, timeZone)} is used instead`;
      warnings.push({ field, problem, advice: ADVICE, shown: String(JSON.stringify(given.get(field))).slice(0, 100) });
    }
  }
  return warnings.length === 0 ? { row, warnings } : { row: Object.fromEntries(repaired), warnings };
}

function zoneOf(field: string, timeZone: string): string {
  return field.endsWith('_gmt') ? 'UTC' : timeZone;
}

/** @param timeZone Of a time without an offset. */
function readMoment(value: unknown, timeZone: string): Date | undefined {
  const text = wireDateTime.safeParse(value).data;
  const moment = text === undefined ? undefined : readWireMoment(text, timeZone);
  // 31 February.
  return moment && localDateTime.safeParse(text?.slice(0, 19).replace(' ', 'T')).success ? moment : undefined;
}
