import { wireDateTime } from '#contracts/index.ts';
import { ProductRefusal } from './product-refusal.ts';

/**
 * Reads a moment of a query as the text of a Postgres timestamp in UTC, to the microsecond: list times are that
 * exact and a Date is not. Without a zone it is UTC.
 *
 * @returns undefined if the parameter is missing or empty.
 * @throws ProductRefusal 400 for anything that is no moment.
 */
export function readMoment(query: URLSearchParams, parameter: string): string | undefined {
  const text = query.getAll(parameter).at(-1)?.trim();
  if (!text) return undefined;
  const utc = wireDateTime.safeParse(text).success && toUtc(text);
  if (!utc) throw new ProductRefusal('invalidMoment', { parameter });
  return utc;
}

function toUtc(text: string): string | undefined {
  const parts = /^(.{10})[T ](.{8})(?:\.(\d+))?(Z|[+-]\d{2}:?\d{0,2})?$/i.exec(text);
  if (!parts) return undefined;
  const [, day = '', time = '', fraction = '', zone = 'Z'] = parts;
  const local = new Date(`${day}T${time}Z`);
  // 31 February would roll over into March.
  if (!local.toJSON()?.startsWith(day) || day.startsWith('0000')) return undefined;
  const [hours = 0, minutes = 0] =
    /^[+-](\d{2}):?(\d{2})?$/
      .exec(zone)
      ?.slice(1)
      .map((part) => Number(part ?? 0)) ?? [];
  if (hours > 15 || minutes > 59) return undefined;
  const offsetMs = (hours * 60 + minutes) * 60_000 * (zone.startsWith('-') ? -1 : 1);
  const moment = new Date(local.getTime() - offsetMs).toISOString();
  return /^\d{4}-/.test(moment) ? `${moment.slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z` : undefined;
}
