import type { ProductUpstream } from '#config/index.ts';
import { fillPath, type RouteDeclaration } from '#contracts/index.ts';
import {
  exportProducts,
  getProduct,
  getProductIndex,
  listLanguages,
  listProducts,
  MAX_PAGE_SIZE,
} from '#contracts/product/routes.ts';
import type { UpstreamResult, Validators } from './upstream-result.ts';
import { fetchJson, parseUpstreamResult } from './fetch-json.ts';
import { productCredential, listSecrets } from './credential.ts';
import type { Transport } from './create-transport.ts';
import type { LineExchange } from './open-lines.ts';
import { fetchLanguages, type LanguageListResult } from './fetch-languages.ts';
import { serializeQuery } from './serialize-query.ts';
import { displayUrl } from './upstream-error.ts';

/** A row of the product list. */
export interface ProductListRow {
  gtin: string;
  language: string;
  /** Timestamp of the last change, ISO; only compared. */
  modified: string;
}

export interface ProductListPage {
  rows: ProductListRow[];
  isLast: boolean;
  /** Number of rows on all pages, as reported by the server. */
  count: number;
}

export interface ProductClient {
  /** URL of a record in any language, without secrets. */
  addressOf(gtin: string): string;
  /** Reads the index, which verifies the address and the token. */
  index(): Promise<UpstreamResult<Record<string, string>>>;
  languages(): Promise<UpstreamResult<LanguageListResult>>;
  /** Fetches an unparsed record; `readProduct` parses it. */
  product(gtin: string, language: string, validators?: Validators): Promise<UpstreamResult<unknown>>;
  /** Fetches one page of all records, least recently changed first. Optional on servers. @param page From 1. */
  list(page: number): Promise<UpstreamResult<ProductListPage>>;
  /** Streams all records, one per line, in the format of `product`. Optional on servers. */
  exportLines(): Promise<LineExchange>;
}

/** Number of list pages requested in parallel. */
const PARALLEL_PAGES = 3;

/**
 * Yields the pages of the list in order, up to the last page or the first failure. The first page reveals the number of
 * pages; the others are then prefetched.
 */
export async function* listProductPages({
  list,
}: Pick<ProductClient, 'list'>): AsyncGenerator<UpstreamResult<ProductListPage>> {
  const pending: Promise<UpstreamResult<ProductListPage>>[] = [];
  let pages = 1;
  for (let page = 1; ; page += 1) {
    while (pending.length === 0 || (pending.length < PARALLEL_PAGES && page + pending.length <= pages)) {
      const answer = list(page + pending.length);
      // Prevents an unhandled rejection; the consumer still receives the error.
      answer.catch(() => undefined);
      pending.push(answer);
    }
    const answer = await pending.shift();
    if (!answer) return;
    yield answer;
    if (answer.kind !== 'ok') return;
    const { rows, isLast, count } = answer.value;
    if (isLast || rows.length === 0) return;
    if (page === 1) pages = Math.ceil(count / rows.length);
  }
}

/** Maximum size of one record of the export. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/**
 * Creates a client of the product interface. The token is sent below `upstream.root`, the account to the whole origin.
 */
export function productClient(upstream: ProductUpstream, transport: Transport): ProductClient {
  const { root } = upstream;
  const credential = productCredential(upstream);
  const secrets = listSecrets(credential);

  const addressOf = (route: RouteDeclaration, params: object = {}, query: object = {}) =>
    root + fillPath(route.path, { ...params }) + serializeQuery({ ...query });

  const request = (url: string, validators?: Validators) => fetchJson(transport, { url, credential, validators });

  const call = (route: RouteDeclaration, input: { params?: object; query?: object; validators?: Validators } = {}) =>
    request(addressOf(route, input.params, input.query), input.validators);

  return {
    addressOf: (gtin) => displayUrl(addressOf(getProduct, { gtin })),
    index: async () => parseUpstreamResult(await call(getProductIndex), getProductIndex.response, secrets),
    languages: () =>
      fetchLanguages({ first: addressOf(listLanguages), root }, async (url) =>
        parseUpstreamResult(await request(url), listLanguages.response, secrets),
      ),
    product: (gtin, language, validators) =>
      call(getProduct, { params: { gtin }, query: { language }, ...(validators && { validators }) }),
    list: async (page) => {
      const answer = await call(listProducts, { query: { page, page_size: MAX_PAGE_SIZE } });
      const parsed = parseUpstreamResult(answer, listProducts.response, secrets);
      if (parsed.kind !== 'ok') return parsed;
      const { results, next, count } = parsed.value;
      return { ...parsed, value: { rows: results, isLast: next === null, count } };
    },
    exportLines: () =>
      transport.openLines({
        url: addressOf(exportProducts),
        accept: 'application/x-ndjson',
        credential,
        maxBytes: MAX_RECORD_BYTES,
      }),
  };
}
