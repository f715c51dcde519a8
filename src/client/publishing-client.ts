import { z } from 'zod';
import type { Account } from '#config/index.ts';
import { MAX_PER_PAGE } from '#contracts/core/index.ts';
import { repairDates } from '#contracts/core/repair-dates.ts';
import {
  fillPath,
  readValue,
  toWirePath,
  type RouteDeclaration,
  type RouteResponse,
  SortimentError,
  type RouteQueryInput,
  type StoredWarning,
  type Problem,
  type RouteParams,
} from '#contracts/index.ts';
import type { Answer, FailedAnswer, Validators } from './answer.ts';
import { callJson, readAnswer } from './call-json.ts';
import { basicCredential, secretsOf } from './credential.ts';
import type { Transport } from './create-transport.ts';
import type { PublishingSite } from './detect-publishing.ts';
import { restAddress } from './rest-address.ts';
import { PUBLISHING_HINTS, upstreamError } from './upstream-error.ts';

/**
 * Calls of a publishing site as `detectPublishing` found it.
 * @param account Sent to the origin of the REST root, and to no other. Without one, calls are anonymous.
 */
export function publishingClient(
  site: Pick<PublishingSite, 'root' | 'namespaces' | 'timeZone'>,
  transport: Transport,
  account?: Account,
): PublishingClient {
  const credential = account && basicCredential(account, site.root);
  const secrets = secretsOf(credential);

  async function call<R extends RouteDeclaration>(route: R, input: CallInput<R> = {}): Promise<Answer<Called<R>>> {
    const path = toWirePath(fillPath(route.path, input.params), site.namespaces);
    const url = restAddress(site.root, path, { ...input.query });
    const answer = await callJson(transport, { url, validators: input.validators, credential });
    if (answer.kind !== 'ok') return answer;
    if (route.response instanceof z.ZodArray && Array.isArray(answer.value)) {
      return { ...answer, value: readRows<R>(answer.value, route.response.element as z.ZodType, site.timeZone) };
    }
    const read = readAnswer(answer, route.response, secrets);
    if (read.kind !== 'ok') return read;
    return { ...read, value: { body: read.value as RouteResponse<R>, problems: [], warnings: [] } };
  }

  return { call, listAll: (route, query, rescue) => listAll(call, route, query, rescue) };
}

/** One bad row must not take the other 99 of its page with it. */
function readRows<R extends RouteDeclaration>(
  rows: readonly unknown[],
  element: z.ZodType,
  timeZone: string,
): Called<R> {
  const good: unknown[] = [];
  const problems: RowProblem[] = [];
  const warnings: RowWarnings[] = [];
  for (const wire of rows) {
    const { row, warnings: found } = repairDates(wire, timeZone);
    const reading = readValue(element, row);
    if (reading.ok) good.push(reading.value);
    else problems.push({ id: idOf(wire), problems: reading.problems, wire });
    if (reading.ok && found.length > 0) warnings.push({ id: idOf(wire), warnings: found });
  }
  // Proved row by row just above.
  return { body: good as RouteResponse<R>, problems, warnings };
}

function idOf(wire: unknown): string {
  if (typeof wire !== 'object' || wire === null || !('id' in wire)) return '';
  return typeof wire.id === 'number' || typeof wire.id === 'string' ? String(wire.id) : '';
}

/**
 * Reads a list to its end in pages of 100. Ordered by id upwards, so that what is published meanwhile comes last
 * and moves nothing; a row that is deleted meanwhile can still push another over a page's edge, so a row that is
 * missing here is no proof that it is gone.
 */
async function* listAll<R extends RouteDeclaration>(
  call: PublishingClient['call'],
  route: R,
  query?: RouteQueryInput<R>,
  rescue?: RescuePage<RowOf<R>>,
): AsyncGenerator<ListedPage<RowOf<R>>> {
  let idsBefore = '';
  for (let page = 1; ; page += 1) {
    const paged: Record<string, unknown> = { ...query, orderby: 'id', order: 'asc', per_page: MAX_PER_PAGE, page };
    const answer = await call(route, { query: paged as RouteQueryInput<R> });
    // Servers answer 400 for a page past the end.
    if (answer.kind === 'refused' && answer.status === 400 && page > 1) return;
    if (answer.kind !== 'ok' && rescue) {
      const { pages, ...rescued } = await rescue({ query: paged, answer, page });
      yield rescued;
      if (page >= (pages ?? 0)) return;
      continue;
    }
    if (answer.kind !== 'ok') throw upstreamError(answer, PUBLISHING_HINTS);
    const { body, problems, warnings } = answer.value;
    const rows = body as RowOf<R>[];
    const ids = [...rows.map((row) => (row as { id?: unknown }).id), ...problems.map(({ id }) => id)].join();
    if (ids !== '' && ids === idsBefore) throw repeated(answer.url, page);
    idsBefore = ids;
    const pages = readCount(answer.headers['x-wp-totalpages']);
    yield { rows, problems, warnings, page, total: readCount(answer.headers['x-wp-total']) };
    // Rows that a caller may not read are left out of a page, so a short page ends the list only where nothing better is known.
    if (pages === undefined ? rows.length + problems.length < MAX_PER_PAGE : page >= pages) return;
  }
}

/** Such a list has no end, and what it leaves out isn't missing. */
function repeated(url: string, page: number): SortimentError {
  return new SortimentError(
    'UPSTREAM_UNREADABLE',
    `[GET] "${url}": page ${page} holds the same rows as the one before.`,
    {
      hint: 'The site seems to ignore `page`: look for a cache or a plugin that does.',
    },
  );
}

export function readCount(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) : undefined;
}

/** A row of a list that doesn't fit the contract. */
export interface RowProblem {
  /** The row's id, where it has one; not necessarily a number. */
  id: string;
  problems: Problem[];
  wire: unknown;
}

/** Repairs of a row that is used nevertheless. */
export interface RowWarnings {
  id: string;
  warnings: StoredWarning[];
}

export type RowOf<R extends RouteDeclaration> = RouteResponse<R> extends readonly (infer Row)[] ? Row : never;

export interface PublishingClient {
  /** Calls a declared route; the answer is read by the response that it declares, lists row by row. */
  call<R extends RouteDeclaration>(route: R, input?: CallInput<R>): Promise<Answer<Called<R>>>;
  /**
   * Reads a list to its end, page by page, by id upwards.
   * @param rescue Reads a page that can't be read as a whole.
   * @throws SortimentError UPSTREAM_… for the first page that can't be read.
   */
  listAll<R extends RouteDeclaration>(
    route: R,
    query?: RouteQueryInput<R>,
    rescue?: RescuePage<RowOf<R>>,
  ): AsyncGenerator<ListedPage<RowOf<R>>>;
}

export interface Called<R extends RouteDeclaration> {
  /** Of a list: the rows that fit. */
  body: RouteResponse<R>;
  /** Of a list: the rows that don't. */
  problems: RowProblem[];
  /** Repairs in rows of a list that fit. */
  warnings: RowWarnings[];
}

export interface CallInput<R extends RouteDeclaration> {
  params?: RouteParams<R>;
  query?: RouteQueryInput<R>;
  validators?: Validators;
}

export interface ListedPage<Row> {
  rows: Row[];
  problems: RowProblem[];
  warnings: RowWarnings[];
  /** From 1. */
  page: number;
  /** Rows in the whole list, where the server says so; it counts rows that it doesn't show. */
  total: number | undefined;
}

/** Reads the rows of such a page in another way. @throws SortimentError When that can't be done either. */
type RescuePage<Row> = (odd: OddPage) => Promise<ListedPage<Row> & { pages: number | undefined }>;

/** A page that was answered by something else than the list, and how it was asked for. */
export interface OddPage {
  query: Readonly<Record<string, unknown>>;
  answer: FailedAnswer;
  page: number;
}
