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
import type { Answer, Validators } from './answer.ts';
import { callJson, readAnswer } from './call-json.ts';
import { productCredential, secretsOf } from './credential.ts';
import type { Transport } from './create-transport.ts';
import type { LineExchange } from './open-lines.ts';
import { readLanguages, type LanguageListing } from './read-languages.ts';
import { serializeQuery } from './serialize-query.ts';
import { displayUrl } from './upstream-error.ts';

/** One record as the list names it. */
export interface ListedProduct {
  gtin: string;
  language: string;
  /** Moment of its last change, ISO; compared, never calculated with. */
  modified: string;
}

export interface ListedProducts {
  rows: ListedProduct[];
  isLast: boolean;
  /** Of all pages together, as the server counts them. */
  count: number;
}

export interface ProductClient {
  /** Where a record is, in whatever language; without secrets. */
  addressOf(gtin: string): string;
  /** The interface's index: shows whether address and token are right. */
  index(): Promise<Answer<Record<string, string>>>;
  languages(): Promise<Answer<LanguageListing>>;
  /** A record as it came; `readProduct` reads it. */
  product(gtin: string, language: string, validators?: Validators): Promise<Answer<unknown>>;
  /** An addition that servers may lack: one page of all records, the longest unchanged first. @param page From 1. */
  list(page: number): Promise<Answer<ListedProducts>>;
  /** An addition that servers may lack: every record, one a line, as `product` would give it. */
  exportLines(): Promise<LineExchange>;
}

/** A server works on one page of the list while others are on their way. */
const PAGES_AT_ONCE = 3;

/**
 * The pages of the list in their order, up to the last one or the first that can't be read. How many there are is known
 * from the first: then some are asked for at once.
 */
export async function* listPages({ list }: Pick<ProductClient, 'list'>): AsyncGenerator<Answer<ListedProducts>> {
  const asked: Promise<Answer<ListedProducts>>[] = [];
  let pages = 1;
  for (let page = 1; ; page += 1) {
    while (asked.length === 0 || (asked.length < PAGES_AT_ONCE && page + asked.length <= pages)) {
      const answer = list(page + asked.length);
      // Whoever takes it is told of its failure.
      answer.catch(() => undefined);
      asked.push(answer);
    }
    const answer = await asked.shift();
    if (!answer) return;
    yield answer;
    if (answer.kind !== 'ok') return;
    const { rows, isLast, count } = answer.value;
    if (isLast || rows.length === 0) return;
    if (page === 1) pages = Math.ceil(count / rows.length);
  }
}

/** Of one record in the export. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Calls of the product interface. A token goes to addresses below `upstream.root`, an account to its origin. */
export function productClient(upstream: ProductUpstream, transport: Transport): ProductClient {
  const { root } = upstream;
  const credential = productCredential(upstream);
  const secrets = secretsOf(credential);

  const addressOf = (route: RouteDeclaration, params: object = {}, query: object = {}) =>
    root + fillPath(route.path, { ...params }) + serializeQuery({ ...query });

  const request = (url: string, validators?: Validators) => callJson(transport, { url, credential, validators });

  const call = (route: RouteDeclaration, input: { params?: object; query?: object; validators?: Validators } = {}) =>
    request(addressOf(route, input.params, input.query), input.validators);

  return {
    addressOf: (gtin) => displayUrl(addressOf(getProduct, { gtin })),
    index: async () => readAnswer(await call(getProductIndex), getProductIndex.response, secrets),
    languages: () =>
      readLanguages({ first: addressOf(listLanguages), root }, async (url) =>
        readAnswer(await request(url), listLanguages.response, secrets),
      ),
    product: (gtin, language, validators) =>
      call(getProduct, { params: { gtin }, query: { language }, ...(validators && { validators }) }),
    list: async (page) => {
      const answer = await call(listProducts, { query: { page, page_size: MAX_PAGE_SIZE } });
      const read = readAnswer(answer, listProducts.response, secrets);
      if (read.kind !== 'ok') return read;
      const { results, next, count } = read.value;
      return { ...read, value: { rows: results, isLast: next === null, count } };
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
