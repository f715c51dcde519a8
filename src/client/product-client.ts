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
import {
  type UpstreamResult,
  displayUrl,
  fetchJson,
  parseUpstreamResult,
  unreadableResult,
} from './upstream-result.ts';
import { productCredential, listSecrets } from './credential.ts';
import type { Transport } from './create-transport.ts';
import type { Validators } from './exchange.ts';
import { serializeQuery } from './serialize-query.ts';
import type { Language, LanguagePage } from '#contracts/product/index.ts';

export type ProductClient = ReturnType<typeof productClient>;

const PARALLEL_PAGES = 3;

/**
 * Yields the pages of the list in order, up to the last page or the first failure. The first page reveals the number of
 * pages; the others are then prefetched.
 */
export async function* listProductPages({ list }: Pick<ProductClient, 'list'>) {
  const pending: ReturnType<typeof list>[] = [];
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
    const { results, next, count } = answer.value;
    if (next === null || results.length === 0) return;
    if (page === 1) pages = Math.ceil(count / results.length);
  }
}

const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/**
 * Creates a client of the product interface. The token is sent below `upstream.root`, the account to the whole origin.
 */
export function productClient(upstream: ProductUpstream, transport: Transport) {
  const { root } = upstream;
  const credential = productCredential(upstream);
  const secrets = listSecrets(credential);

  const addressOf = (route: RouteDeclaration, params: object = {}, query: object = {}) =>
    root + fillPath(route.path, { ...params }) + serializeQuery({ ...query });

  const request = (url: string, validators?: Validators) => fetchJson(transport, { url, credential, validators });

  const call = (route: RouteDeclaration, input: { params?: object; query?: object; validators?: Validators } = {}) =>
    request(addressOf(route, input.params, input.query), input.validators);

  return {
    /** Returns the URL of a record in any language, without secrets. */
    addressOf: (gtin: string) => displayUrl(addressOf(getProduct, { gtin })),
    /** Reads the index, which verifies the address and the token. */
    index: async () => parseUpstreamResult(await call(getProductIndex), getProductIndex.response, secrets),
    languages: () =>
      fetchLanguages(addressOf(listLanguages), root, async (url) =>
        parseUpstreamResult(await request(url), listLanguages.response, secrets),
      ),
    /** Fetches an unparsed record; `readProduct` parses it. */
    product: (gtin: string, language: string, validators?: Validators) =>
      call(getProduct, { params: { gtin }, query: { language }, ...(validators && { validators }) }),
    /** Fetches one page of all records, least recently changed first. Optional on servers. @param page From 1. */
    list: async (page: number) => {
      const answer = await call(listProducts, { query: { page, page_size: MAX_PAGE_SIZE } });
      return parseUpstreamResult(answer, listProducts.response, secrets);
    },
    /** Streams all records, one per line, in the format of `product`. Optional on servers. */
    exportLines: () =>
      transport.openLines({
        url: addressOf(exportProducts),
        accept: 'application/x-ndjson',
        credential,
        maxBytes: MAX_RECORD_BYTES,
      }),
  };
}

/** Languages of a product interface. */
interface LanguageListResult {
  languages: Language[];
  /** Reason why the list may be incomplete; continues the sentence "The list of languages …". Undefined if complete. */
  problem: string | undefined;
}

/**
 * Reads all pages of the language list.
 * @returns The first failed response, or all languages.
 */
async function fetchLanguages(
  first: string,
  root: string,
  read: (url: string) => Promise<UpstreamResult<LanguagePage>>,
): Promise<UpstreamResult<LanguageListResult>> {
  const languages = new Map<string, Language>();
  const visited = new Set<string>();
  let rows = 0;
  for (let url = first; ;) {
    visited.add(url);
    const answer = await read(url);
    if (answer.kind !== 'ok') return answer;
    const { results, count, next } = answer.value;
    const previousSize = languages.size;
    for (const language of results) languages.set(language.code, languages.get(language.code) ?? language);
    rows += results.length;
    const finish = (problem?: string): UpstreamResult<LanguageListResult> =>
      languages.size > 0
        ? { ...answer, value: { languages: [...languages.values()], problem } }
        : unreadableResult(answer, [{ field: '', problem: 'is empty' }]);
    if (next === undefined)
      return finish(count === undefined || count === rows ? undefined : `has ${rows} entries, but announces ${count}`);
    const nextUrl = resolveNext(next, url, root);
    if (nextUrl === undefined) return finish('continues at an invalid address');
    if (visited.has(nextUrl) || languages.size === previousSize) return finish('repeats entries of an earlier page');
    url = nextUrl;
  }
}

/**
 * Resolves `next` on the current host. Servers behind a proxy often don't know their public scheme, host and base path.
 */
function resolveNext(next: string, current: string, root: string): string | undefined {
  const target = URL.parse(next, current);
  if (!target) return undefined;
  const nextUrl = new URL(current);
  if (target.pathname.startsWith(new URL(root).pathname)) nextUrl.pathname = target.pathname;
  nextUrl.search = target.search;
  return nextUrl.href;
}
