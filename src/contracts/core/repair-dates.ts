import type { StoredWarning } from '../parse-value.ts';
import { parseSiteDate, toSiteTime } from '../site-clock.ts';
import { wireDateTime } from '../wire.ts';
import { localDateTime } from './field.ts';

/** UTC fields, each with its counterpart in site time. */
const PAIRS = [
  ['date_gmt', 'date'],
  ['modified_gmt', 'modified'],
] as const;

/** Statuses of rows without a required date. */
const UNDATED = new Set<unknown>(['draft', 'pending', 'auto-draft']);

const ADVICE = 'Correct the date at the publishing site: an import or a plug-in may have written it.';

/**
 * Repairs the dates of a row. Imports and plug-ins write undocumented forms: zero dates, nulls, offsets. An unreadable
 * date is derived from the other field of its pair, or from the other pair. A row without any readable date stays
 * unchanged.
 * @param timeZone Time zone of the site.
 */
export function repairDates(row: unknown, timeZone: string): { row: unknown; warnings: StoredWarning[] } {
  if (typeof row !== 'object' || row === null) return { row, warnings: [] };
  const original = new Map<string, unknown>(Object.entries(row));
  const isUndated = (gmt: string) => original.get(gmt) === null && UNDATED.has(original.get('status'));
  const pairs = PAIRS.filter(([gmt, local]) => (original.has(gmt) || original.has(local)) && !isUndated(gmt));
  const warnings: StoredWarning[] = [];
  const repaired = new Map(original);
  for (const pair of pairs) {
    const broken = pair.filter((name) => !localDateTime.safeParse(original.get(name)).success);
    for (const field of broken.filter((name) => original.has(name) || name === pair[0])) {
      const sources = [field, ...pair, ...pairs.flat()];
      const source = sources.find((name) => readMoment(original.get(name), zoneOf(name, timeZone)));
      const moment = source && readMoment(original.get(source), zoneOf(source, timeZone));
      if (!moment) continue;
      repaired.set(field, toSiteTime(moment, zoneOf(field, timeZone)).replace(' ', 'T'));
      const problem =
        source === field
          ? 'is not in the documented format'
          : `is not a date; "${source}" in the time zone ${zoneOf(source, timeZone)} is used instead`;
      warnings.push({
        field,
        problem,
        advice: ADVICE,
        shown: String(JSON.stringify(original.get(field))).slice(0, 100),
      });
    }
  }
  return warnings.length === 0 ? { row, warnings } : { row: Object.fromEntries(repaired), warnings };
}

function zoneOf(field: string, timeZone: string): string {
  return field.endsWith('_gmt') ? 'UTC' : timeZone;
}

/** @param timeZone Time zone for times without an offset. */
function readMoment(value: unknown, timeZone: string): Date | undefined {
  const text = wireDateTime.safeParse(value).data;
  const moment = text === undefined ? undefined : parseSiteDate(text, timeZone);
  // Rejects dates such as 31 February.
  return moment && localDateTime.safeParse(text?.slice(0, 19).replace(' ', 'T')).success ? moment : undefined;
}
