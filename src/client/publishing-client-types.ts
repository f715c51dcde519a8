import type { Problem, RouteDeclaration, RouteParams, RouteQueryInput, RouteResponse } from '#contracts/index.ts';
import type { Answer, FailedAnswer, Validators } from './answer.ts';

/** A row of a list that doesn't fit the contract. */
export interface RowProblem {
  /** The row's id, where it has one; not necessarily a number. */
  id: string;
  problems: Problem[];
  wire: unknown;
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
}

export interface CallInput<R extends RouteDeclaration> {
  params?: RouteParams<R>;
  query?: RouteQueryInput<R>;
  validators?: Validators;
}

export interface ListedPage<Row> {
  rows: Row[];
  problems: RowProblem[];
  /** From 1. */
  page: number;
  /** Rows in the whole list, where the server says so; it counts rows that it doesn't show. */
  total: number | undefined;
}

/** Reads the rows of such a page in another way. @throws SortimentError When that can't be done either. */
export type RescuePage<Row> = (odd: OddPage) => Promise<ListedPage<Row> & { pages: number | undefined }>;

/** A page that was answered by something else than the list, and how it was asked for. */
export interface OddPage {
  query: Readonly<Record<string, unknown>>;
  answer: FailedAnswer;
  page: number;
}
