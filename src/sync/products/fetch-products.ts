import {
  displayUrl,
  PRODUCT_HINTS,
  upstreamError,
  type UpstreamFailure,
  isNestedTooDeep,
} from '#client/upstream-result.ts';
import { listProductPages, productClient, type ProductClient } from '#client/product-client.ts';
import { BodyError } from '#client/exchange.ts';
import type { Options, ProductUpstream } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import type { Language } from '#contracts/product/index.ts';
import { sourceNames } from '#contracts/product/product-fields.ts';
import { PRODUCT_ADDITIONS } from '#contracts/product/routes.ts';
import { digestRecord, type ProductCheck, type ReadSource, type StoredSource } from '#snapshot/index.ts';
import type { Assortment } from '../assortment/read-assortment.ts';
import { allowedCount } from '../guard/guard-run.ts';
import { formatIssues } from '../report/format-report.ts';
import { mapConcurrently, type SyncRun } from '../sync-options.ts';
import { isConclusive, productStager, type ProductRequest, type ProductStager } from './stage-product.ts';

/** After this many rejections without a good response, the credential counts as rejected. */
const MAX_REFUSALS_AT_FIRST = 3;
/** So many failures in a row indicate a failing server, because requests are shuffled. */
const MAX_IN_A_ROW = 10;

/**
 * Distinguishes bad records from a failing server. Few failures are problems of single records. Many are a problem of
 * the interface, and then nothing may be written.
 * @param total Number of records of the assortment in all languages, even if only some are requested.
 * @param share Share of them that may fail; 1 for all.
 */
export function watchResponses(total: number, share: number) {
  const allowed = allowedCount(total, share);
  let succeeded = 0;
  let failed = 0;
  let inARow = 0;
  let rejections = 0;
  let first: UpstreamFailure | undefined;
  let verdict: SortimentError | undefined;

  const evaluate = (answer: UpstreamFailure): string | undefined => {
    if (share >= 1 && succeeded > 0) return undefined;
    if (succeeded === 0 && rejections >= MAX_REFUSALS_AT_FIRST) return '';
    if (succeeded === 0 && failed >= total) return '';
    if (failed > allowed) return `${failed} of ${total} records could not be read; at most ${allowed} may fail.`;
    if (inARow < MAX_IN_A_ROW || share >= 1) return undefined;
    return `${inARow} records in a row could not be read (${answer.detail}).`;
  };

  return {
    /** Why the run must stop requesting records; undefined while it may continue. */
    get verdict(): SortimentError | undefined {
      return verdict;
    },
    /** Counts a response as documented. */
    good: () => {
      succeeded += 1;
      inARow = 0;
    },
    /** Counts any other response. */
    bad: (answer: UpstreamFailure) => {
      first ??= answer;
      failed += 1;
      inARow += 1;
      rejections += answer.kind === 'unauthorised' ? 1 : 0;
      const why = evaluate(answer);
      if (why === undefined) return;
      const { code, message, hint } = upstreamError(why === '' ? first : answer, PRODUCT_HINTS);
      verdict ??= new SortimentError(code, why === '' ? message : `${why} Last error:\n${message}`, { hint });
    },
  };
}

/** Maximum lines per listed record. A longer export is treated as endless. */
const MAX_LINES_PER_RECORD = 2;

/**
 * Reads records from the interface's export.
 * @param listed Number of records in the interface's list.
 * @returns Requests for records that the export lacks.
 */
async function readExport(
  run: SyncRun,
  client: ProductClient,
  requests: readonly ProductRequest[],
  { listed, stager }: { listed: number; stager: ProductStager },
): Promise<ProductRequest[]> {
  const pending = new Map(requests.map((request) => [`${request.gtin} ${request.language}`, request]));
  const answer = await client.exportLines();
  if (answer.outcome !== 'answered') return [...requests];
  let lines = 0;
  try {
    for await (const line of answer.lines) {
      lines += 1;
      if (lines > listed * MAX_LINES_PER_RECORD) break;
      const record: unknown = JSON.parse(line);
      const key = keyOf(record);
      const request = pending.get(key);
      if (!request || isNestedTooDeep(record)) continue;
      pending.delete(key);
      stager.stageRecord(request, record);
      if (pending.size === 0 || run.isSpent()) break;
    }
  } catch (error) {
    // Each line is independent: use what arrived and request the rest.
    if (!(error instanceof BodyError || error instanceof SyntaxError)) throw error;
    run.logger.debug(`The export ended early; ${pending.size} records are requested one by one.`);
  }
  return [...pending.values()];
}

function keyOf(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '';
  const { gtin, language } = record as Record<string, unknown>;
  return typeof gtin === 'string' && typeof language === 'string' ? `${gtin} ${language}` : '';
}

/** Golden section. Steps of this share of a list keep consecutive items far apart. */
const STEP_SHARE = (Math.sqrt(5) - 1) / 2;

/** The export is a single request, but sends every record. It pays off if many are needed. */
const EXPORT_SHARE = 0.2;
const EXPORT_MIN = 50;
const HOUR_MS = 3_600_000;

/**
 * Stages every product of the assortment in every language. Depending on the server, records come from an unfinished
 * run, from its list if unchanged, from its export, or from single requests. Single failures are reported and keep the
 * stored record.
 * @throws SortimentError UPSTREAM_… if the interface fails: its languages are unreadable, the credential is rejected,
 * or too many records fail; PRODUCTS_UNUSABLE if no record is usable.
 */
export async function fetchProducts(
  run: SyncRun,
  upstream: ProductUpstream,
  assortment: Assortment,
): Promise<ReadSource> {
  const client = productClient(upstream, run.transport);
  const base = displayUrl(upstream.root);
  const previous = run.snapshot.sources().find((source) => source.name === 'product' && source.base === base);
  const languages = await readLanguages(run, client, previous !== undefined);
  stageAssortment(run, assortment);
  const total = assortment.rows.length * languages.length;
  run.logger.debug(`${base}: ${total} records.`);

  const productList = await readProductList(run, client);
  const isFullRead = !productList || run.isFull('product') || isFullReadDue(run, previous);
  const stager = productStager(run, total);
  const requests = [...listRequests(assortment, languages, run, { client, productList, isAnother: !previous })];
  const unread = requests.filter((request) => !stager.reuse(request, isFullRead));
  const remaining =
    productList?.hasExport && shouldUseExport(unread, total)
      ? await readExport(run, client, unread, { listed: productList.size, stager })
      : unread;
  await requestEach(run, client, prioritise(run, remaining), { total, stager });

  if (stager.usable === 0 && run.tally.unasked === 0) throw createUnusableError(run, upstream);
  for (const kind of ['product', 'language', 'family', 'assortment'] as const) run.staging.completeKind(kind);
  const isComplete = isFullRead && run.tally.unasked === 0;
  return { name: 'product', base, cursor: isComplete ? run.startedAt.toISOString() : previous?.cursor };
}

/** True if all records are due for a full read. A run with a budget can't read all of them. */
function isFullReadDue(run: SyncRun, previous: StoredSource | undefined): boolean {
  const { startedAt, settings } = run;
  if (run.hasBudget) return false;
  const agoMs = startedAt.getTime() - Date.parse(previous?.cursor ?? '');
  return !(Math.abs(agoMs) < settings.options.sync.fullReadHours * HOUR_MS);
}

/** @param isKnown True if the stored languages come from this interface. */
async function readLanguages(run: SyncRun, client: ProductClient, isKnown: boolean): Promise<string[]> {
  const answer = await client.languages();
  if (answer.kind !== 'ok') throw upstreamError(answer, PRODUCT_HINTS);
  const { languages, mainLanguage } = run.settings.options;
  const { problem } = answer.value;
  let listed = answer.value.languages;
  if (problem !== undefined) {
    // A language that only an incomplete list lacks is not gone and keeps its position.
    const stored = isKnown ? run.snapshot.languages() : [];
    listed = [...new Map([...stored, ...listed].map((language) => [language.code, language])).values()];
    run.issues.problem({
      kind: 'language',
      id: displayUrl(answer.url),
      field: '',
      problem: `may be missing from the list, because the list ${problem}`,
      advice: 'Have the list of languages corrected at the product interface. Known languages stay.',
      hasLastGood: isKnown,
    });
  }
  const chosen = chooseLanguages(listed, languages);
  for (const [position, { code, name }] of listed.entries()) {
    const record = { code, name };
    const digest = digestRecord({ ...record, position });
    run.staging.stageRecord({ kind: 'language', id: code, position, content: { record, digest } });
  }
  if (!chosen.some(({ code }) => code === mainLanguage)) {
    const problem = 'is the main language, but the interface does not list it';
    run.issues.warning({ kind: 'language', id: mainLanguage, field: '', problem });
  }
  return chosen.map(({ code }) => code);
}

function stageAssortment({ staging }: SyncRun, { families, rows }: Assortment): void {
  for (const [position, record] of families.entries()) {
    const digest = digestRecord({ ...record, position });
    staging.stageRecord({ kind: 'family', id: record.id, position, content: { record, digest } });
  }
  const record = {
    gtins: rows.map(({ gtin }) => gtin),
    families: Object.fromEntries(rows.flatMap(({ gtin, family }) => (family === undefined ? [] : [[gtin, family]]))),
  };
  const content = { record, digest: digestRecord(record) };
  staging.stageRecord({ kind: 'assortment', id: 'list', position: 0, content });
}

function* listRequests(
  { rows }: Assortment,
  languages: readonly string[],
  { snapshot, staging, isFull, documents, settings }: SyncRun,
  {
    client,
    productList,
    isAnother,
  }: { client: ProductClient; productList: ProductList | undefined; isAnother: boolean },
): Generator<ProductRequest> {
  const isNew = isFull('product');
  const isOutgrown =
    isAnother ||
    isNew ||
    snapshot.isOutgrown() ||
    snapshot.hasOtherFields(sourceNames(settings.options.product.fields));
  for (const [position, { gtin, family }] of rows.entries()) {
    const address = client.addressOf(gtin);
    for (const language of languages) {
      const known = snapshot.known(gtin, language);
      const isOther = isOutgrown || documents.haveChanged(snapshot, { gtin, language, base: address });
      const usable = known && (isOther || !known.warnings) ? withoutValidators(known) : known;
      yield {
        gtin,
        language,
        family,
        position,
        known: usable,
        address,
        isAnother,
        held: isNew ? undefined : staging.held(gtin, language),
        listedModified: productList?.modifiedOf(gtin, language),
      };
    }
  }
}

/**
 * Removes validators, so that the record is read in full. Used after a change of normaliser, upstream or documents, and
 * on request.
 */
function withoutValidators(known: ProductCheck): ProductCheck {
  return { ...known, etag: undefined, lastModified: undefined, listedModified: undefined };
}

function shouldUseExport(unread: readonly ProductRequest[], total: number): boolean {
  const listed = unread.filter(({ listedModified }) => listedModified !== undefined);
  return listed.length >= EXPORT_MIN && listed.length >= total * EXPORT_SHARE;
}

/**
 * Shuffles requests, so that faulty neighbours don't fail in a row. With a budget, records that were never read come
 * first, then the longest unread.
 */
function prioritise(run: SyncRun, requests: readonly ProductRequest[]): readonly ProductRequest[] {
  if (!run.hasBudget) return shuffleEvenly(requests);
  return requests.toSorted((a, b) => (a.known?.checkedAt ?? '').localeCompare(b.known?.checkedAt ?? ''));
}

async function requestEach(
  run: SyncRun,
  client: ProductClient,
  requests: readonly ProductRequest[],
  { total, stager }: { total: number; stager: ProductStager },
): Promise<void> {
  const { concurrency, guard } = run.settings.options.sync;
  const watch = watchResponses(total, guard.failed);
  if (stager.usable > 0) watch.good();
  const send = async (request: ProductRequest) => {
    if (watch.verdict) throw watch.verdict;
    if (run.isSpent()) return { request, answer: undefined };
    const { gtin, language, held } = request;
    const { etag, lastModified } = held ?? request.known ?? {};
    const answer = await client.product(gtin, language, { etag, lastModified });
    // Evaluate each response on arrival, so that a failing server gets no more requests.
    if (isConclusive(answer)) watch.good();
    else watch.bad(answer);
    return { request, answer };
  };
  for await (const { request, answer } of mapConcurrently(requests, concurrency, send))
    stager.stageResponse(request, answer);
  if (watch.verdict) throw watch.verdict;
}

function createUnusableError(run: SyncRun, upstream: ProductUpstream): SortimentError {
  const { problems, warnings } = run.issues.list();
  return new SortimentError(
    'PRODUCTS_UNUSABLE',
    `No record of ${displayUrl(upstream.root)} is usable:\n${formatIssues([...problems, ...warnings])}`,
    { hint: 'Check that PRODUCT_API_URL points to the right interface, or have the records corrected there.' },
  );
}

/** Reorders items deterministically, so that neighbours end up far apart. */
export function shuffleEvenly<T>(items: readonly T[]): T[] {
  let step = Math.max(1, Math.round(items.length * STEP_SHARE));
  while (divisor(step, items.length) > 1) step += 1;
  return items.map((item, i) => items[(i * step) % items.length] ?? item);
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/**
 * Returns the languages to request, in the interface's order: all of them, or those in the options.
 * @throws SortimentError LANGUAGE_UNKNOWN if the interface doesn't list a language of the options.
 */
function chooseLanguages(listed: readonly Language[], chosen: Options['languages']): Language[] {
  if (chosen === 'all') return [...listed];
  const codes = listed.map(({ code }) => code);
  const unknown = chosen.filter((code) => !codes.includes(code));
  if (unknown.length === 0) return listed.filter(({ code }) => chosen.includes(code));
  throw new SortimentError(
    'LANGUAGE_UNKNOWN',
    `Unknown language in the options: ${unknown.join(', ')}. The product interface lists ${codes.join(', ')}.`,
    { hint: 'Correct `languages` in src/sortiment.config.ts.' },
  );
}

type ProductList = NonNullable<Awaited<ReturnType<typeof readProductList>>>;

/**
 * Reads the interface's list of records, if it has one. The documented interface has none. After any failure, records
 * are requested one by one.
 * @throws SortimentError UPSTREAM_UNAUTHORISED, because further requests would fail, too.
 */
async function readProductList(run: SyncRun, client: ProductClient) {
  const index = await client.index();
  if (index.kind === 'unauthorised') throw upstreamError(index, PRODUCT_HINTS);
  const names = index.kind === 'ok' ? Object.keys(index.value) : [];
  const [listName, exportName] = Object.keys(PRODUCT_ADDITIONS);
  if (!listName || !names.includes(listName)) return undefined;
  const modified = new Map<string, string>();
  for await (const answer of listProductPages(client)) {
    if (answer.kind === 'unauthorised') throw upstreamError(answer, PRODUCT_HINTS);
    if (answer.kind !== 'ok') {
      run.logger.debug(`The list of records can't be used (${answer.detail}): records are requested one by one.`);
      return undefined;
    }
    const { results, next } = answer.value;
    const size = modified.size;
    for (const row of results) modified.set(`${row.gtin} ${row.language}`, row.modified);
    if (next !== null && modified.size === size) {
      run.logger.debug("The list of records can't be used (a page has nothing new and isn't the last).");
      return undefined;
    }
  }
  return {
    /** Time of the last change; undefined if the record is not listed, which alone proves nothing. */
    modifiedOf: (gtin: string, language: string) => modified.get(`${gtin} ${language}`),
    /** Number of listed records. */
    size: modified.size,
    hasExport: exportName !== undefined && names.includes(exportName),
  };
}
