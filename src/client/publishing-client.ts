import type { Validators } from './exchange.ts';
import { z } from 'zod';
import type { Account } from '#config/index.ts';
import { MAX_PER_PAGE } from '#contracts/core/collection-query.ts';
import {
  fillPath,
  parseValue,
  toWirePath,
  type RouteDeclaration,
  type RouteResponse,
  SortimentError,
  type RouteQueryInput,
  type StoredWarning,
  type Problem,
  type RouteParams,
} from '#contracts/index.ts';
import {
  type UpstreamResult,
  type UpstreamFailure,
  PUBLISHING_HINTS,
  upstreamError,
  fetchJson,
  parseUpstreamResult,
} from './upstream-result.ts';
import { basicCredential, listSecrets } from './credential.ts';
import type { Transport } from './create-transport.ts';
import { type PublishingSite, restAddress } from './detect-publishing.ts';
import { parseSiteDate, toSiteTime } from '#contracts/site-clock.ts';
import { wireDateTime } from '#contracts/wire.ts';
import { localDateTime } from '#contracts/core/field.ts';

export type PublishingClient = ReturnType<typeof publishingClient>;

/**
 * Creates a client of a publishing site found by `detectPublishing`.
 * @param account Sent only to the origin of the REST root. Without it, calls are anonymous.
 */
export function publishingClient(
  site: Pick<PublishingSite, 'root' | 'namespaces' | 'timeZone'>,
  transport: Transport,
  account?: Account,
) {
  const credential = account && basicCredential(account, site.root);
  const secrets = listSecrets(credential);

  /** Calls a declared route and parses the response by its schema; lists are parsed row by row. */
  async function call<R extends RouteDeclaration>(
    route: R,
    input: { params?: RouteParams<R>; query?: RouteQueryInput<R>; validators?: Validators } = {},
  ): Promise<UpstreamResult<CallResult<R>>> {
    const path = toWirePath(fillPath(route.path, input.params), site.namespaces);
    const url = restAddress(site.root, path, { ...input.query });
    const answer = await fetchJson(transport, { url, validators: input.validators, credential });
    if (answer.kind !== 'ok') return answer;
    if (route.response instanceof z.ZodArray && Array.isArray(answer.value)) {
      return { ...answer, value: readRows<R>(answer.value, route.response.element as z.ZodType, site.timeZone) };
    }
    const parsedBody = parseUpstreamResult(answer, route.response, secrets);
    if (parsedBody.kind !== 'ok') return parsedBody;
    return { ...parsedBody, value: { body: parsedBody.value as RouteResponse<R>, problems: [], warnings: [] } };
  }

  /**
   * Reads a list in pages of 100, ordered by id, so that rows published during the read come last. A row deleted during
   * the read shifts the following pages. A row missing from the result is therefore no proof of its deletion.
   * @param rescue Reads a page that can't be parsed as a whole.
   * @throws SortimentError UPSTREAM_… for the first page that can't be read.
   */
  async function* listAll<R extends RouteDeclaration>(
    route: R,
    query?: RouteQueryInput<R>,
    rescue?: RescuePage<RouteRow<R>>,
  ): AsyncGenerator<ListPage<RouteRow<R>>> {
    let idsBefore = '';
    for (let page = 1; ; page += 1) {
      const paged: Record<string, unknown> = { ...query, orderby: 'id', order: 'asc', per_page: MAX_PER_PAGE, page };
      const answer = await call(route, { query: paged as RouteQueryInput<R> });
      // Servers return 400 for a page past the end.
      if (answer.kind === 'refused' && answer.status === 400 && page > 1) return;
      if (answer.kind !== 'ok' && rescue) {
        const { pages, ...rescued } = await rescue({ query: paged, answer, page });
        yield rescued;
        if (page >= (pages ?? 0)) return;
        continue;
      }
      if (answer.kind !== 'ok') throw upstreamError(answer, PUBLISHING_HINTS);
      const { body, problems, warnings } = answer.value;
      const rows = body as RouteRow<R>[];
      const ids = [...rows.map((row) => (row as { id?: unknown }).id), ...problems.map(({ id }) => id)].join();
      if (ids !== '' && ids === idsBefore) throw repeatedPageError(answer.url, page);
      idsBefore = ids;
      const pages = parseCount(answer.headers['x-wp-totalpages']);
      yield { rows, problems, warnings, page, total: parseCount(answer.headers['x-wp-total']) };
      // Pages omit rows that the caller can't read. So a short page ends the list only if the page count is unknown.
      if (pages === undefined ? rows.length + problems.length < MAX_PER_PAGE : page >= pages) return;
    }
  }

  return { call, listAll };
}

/** Parses rows one by one, so that an invalid row doesn't discard its page. */
function readRows<R extends RouteDeclaration>(
  rows: readonly unknown[],
  element: z.ZodType,
  timeZone: string,
): CallResult<R> {
  const good: unknown[] = [];
  const problems: RowProblem[] = [];
  const warnings: RowWarnings[] = [];
  for (const wire of rows) {
    const { row, warnings: rowWarnings } = repairDates(wire, timeZone);
    const parsed = parseValue(element, row);
    if (parsed.ok) good.push(parsed.value);
    else problems.push({ id: idOf(wire), problems: parsed.problems, wire });
    if (parsed.ok && rowWarnings.length > 0) warnings.push({ id: idOf(wire), warnings: rowWarnings });
  }
  // Each row was validated above.
  return { body: good as RouteResponse<R>, problems, warnings };
}

function idOf(wire: unknown): string {
  if (typeof wire !== 'object' || wire === null || !('id' in wire)) return '';
  return typeof wire.id === 'number' || typeof wire.id === 'string' ? String(wire.id) : '';
}

/** A list that repeats its pages never ends, and its missing rows aren't deleted ones. */
function repeatedPageError(url: string, page: number): SortimentError {
  return new SortimentError(
    'UPSTREAM_UNREADABLE',
    `[GET] "${url}": page ${page} repeats the rows of the previous page.`,
    {
      hint: 'The site seems to ignore the parameter `page`: check its caches and plugins.',
    },
  );
}

export function parseCount(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) : undefined;
}

/** A row that doesn't match the contract. */
export interface RowProblem {
  /** Id of the row, if any; not necessarily a number. */
  id: string;
  problems: Problem[];
  wire: unknown;
}

/** Repairs of a row that is used despite its problems. */
export interface RowWarnings {
  id: string;
  warnings: StoredWarning[];
}

export type RouteRow<R extends RouteDeclaration> = RouteResponse<R> extends readonly (infer Row)[] ? Row : never;

interface CallResult<R extends RouteDeclaration> {
  /** For a list: the valid rows. */
  body: RouteResponse<R>;
  /** For a list: the invalid rows. */
  problems: RowProblem[];
  /** For a list: repairs of valid rows. */
  warnings: RowWarnings[];
}

export interface ListPage<Row> {
  rows: Row[];
  problems: RowProblem[];
  warnings: RowWarnings[];
  /** From 1. */
  page: number;
  /** Number of rows in the list, if the server reports it; includes rows hidden from the caller. */
  total: number | undefined;
}

/** Reads the rows of an unreadable page in another way. @throws SortimentError if that fails too */
type RescuePage<Row> = (unreadable: UnreadablePage) => Promise<ListPage<Row> & { pages: number | undefined }>;

/** A page of a list with an unusable response, and its query. */
export interface UnreadablePage {
  query: Readonly<Record<string, unknown>>;
  answer: UpstreamFailure;
  page: number;
}

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
