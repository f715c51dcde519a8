import { z } from 'zod';
import {
  fillPath,
  readValue,
  toWirePath,
  type Problem,
  type RouteDeclaration,
  type RouteParams,
  type RouteQueryInput,
  type RouteResponse,
} from '../contracts/index.ts';
import type { Answer, Validators } from './answer.ts';
import { callJson, readAnswer } from './call-json.ts';
import type { Transport } from './create-transport.ts';
import type { PublishingSite } from './detect-publishing.ts';
import { listAll, type ListedPage, type RescuePage } from './list-all.ts';
import { restAddress } from './rest-address.ts';

/** A row of a list that doesn't fit the contract. */
export interface RowProblem {
  /** The row's id, where it has one; not necessarily a number. */
  id: string;
  problems: Problem[];
  wire: unknown;
}

export interface Called<R extends RouteDeclaration> {
  /** Of a list: the rows that fit. */
  body: RouteResponse<R>;
  /** Of a list: the rows that don't. */
  problems: RowProblem[];
}

export interface CallInput<R extends RouteDeclaration> {
  params?: RouteParams<R>;
  query?: RouteQueryInput<R>;
  validators?: Validators;
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

/** Who calls, as an application password tells it. */
export interface PublishingAccount {
  user: string;
  password: string;
}

/**
 * Calls of a publishing site as `detectPublishing` found it.
 * @param account Goes to addresses below the REST root, and to no other. Without one the calls are anybody's.
 */
export function publishingClient(
  site: PublishingSite,
  transport: Transport,
  account?: PublishingAccount,
): PublishingClient {
  const credential = account && { authorization: basic(account), within: new URL(site.root).href };

  async function call<R extends RouteDeclaration>(route: R, input: CallInput<R> = {}): Promise<Answer<Called<R>>> {
    const path = toWirePath(fillPath(route.path, input.params), site.namespaces);
    const url = restAddress(site.root, path, { ...input.query });
    const answer = await callJson(transport, { url, validators: input.validators, ...(credential && { credential }) });
    if (answer.kind !== 'ok') return answer;
    if (route.response instanceof z.ZodArray && Array.isArray(answer.value)) {
      return { ...answer, value: readRows<R>(answer.value, route.response.element as z.ZodType) };
    }
    const read = readAnswer(answer, route.response);
    if (read.kind !== 'ok') return read;
    return { ...read, value: { body: read.value as RouteResponse<R>, problems: [] } };
  }

  return { call, listAll: (route, query, rescue) => listAll(call, route, query, rescue) };
}

function basic({ user, password }: PublishingAccount): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** One bad row must not take the other 99 of its page with it. */
function readRows<R extends RouteDeclaration>(rows: readonly unknown[], element: z.ZodType): Called<R> {
  const good: unknown[] = [];
  const problems: RowProblem[] = [];
  for (const wire of rows) {
    const reading = readValue(element, wire);
    if (reading.ok) good.push(reading.value);
    else problems.push({ id: idOf(wire), problems: reading.problems, wire });
  }
  // Proved row by row just above.
  return { body: good as RouteResponse<R>, problems };
}

function idOf(wire: unknown): string {
  if (typeof wire !== 'object' || wire === null || !('id' in wire)) return '';
  return typeof wire.id === 'number' || typeof wire.id === 'string' ? String(wire.id) : '';
}
