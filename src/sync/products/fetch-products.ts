import { displayUrl, PRODUCT_HINTS, productClient, upstreamError, type ProductClient } from '#client/index.ts';
import type { ProductUpstream } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import {
  NORMALISER_VERSION,
  digestRecord,
  type HeldProduct,
  type KnownProduct,
  type ReadSource,
  type StoredSource,
} from '#snapshot/index.ts';
import type { Assortment } from '../assortment/check-assortment.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { formatIssues } from '../report/format-report.ts';
import type { SyncRun } from '../sync-run.ts';
import { chooseLanguages } from './choose-languages.ts';
import { isConclusive, evaluateAnswer, repeatWarnings, type EvaluatedProduct } from './evaluate-answer.ts';
import type { LanguageRequest } from './language-request.ts';
import { readExport } from './read-export.ts';
import { readProductList, type ProductList } from './read-product-list.ts';
import { reportUnread, watchAnswers } from './watch-answers.ts';

/** Golden section: steps of this share of a list come near to no earlier place for as long as there are others. */
const STEP_SHARE = (Math.sqrt(5) - 1) / 2;

/** The export is one request but sends every record: it pays off when many of them are needed. */
const EXPORT_SHARE = 0.2;
const EXPORT_MIN = 50;
const HOUR_MS = 3_600_000;

/**
 * Stages every product of the assortment in every language: from an unfinished run, as unchanged by the interface's own
 * list, from its export, or requested one by one, depending on what the server offers. A record that fails while others
 * succeed stays as stored and is reported.
 * @throws SortimentError UPSTREAM_… when the interface fails rather than a record: its languages can't be read, the
 * credential is refused, too many records fail; PRODUCTS_UNUSABLE when not a single record can be used.
 */
export async function fetchProducts(
  run: SyncRun,
  upstream: ProductUpstream,
  assortment: Assortment,
): Promise<ReadSource> {
  const client = productClient(upstream, run.transport);
  const base = displayUrl(upstream.root);
  const before = run.snapshot.sources().find((source) => source.name === 'product' && source.base === base);
  const languages = await readLanguages(run, client, before !== undefined);
  stageAssortment(run, assortment);
  const total = assortment.rows.length * languages.length;
  run.logger.debug(`${base}: ${total} records.`);

  const productList = await readProductList(run, client, upstream.root);
  const isWhole = !productList || run.isFull('product') || isWholeReadDue(run, before);
  const counter = { done: 0, usable: 0 };
  const count = (isUsable: boolean) => {
    if (isUsable) counter.usable += 1;
    counter.done += 1;
    run.progress({ stage: 'products', done: counter.done, total });
  };
  const onResult = (request: LanguageRequest, evaluated: EvaluatedProduct) => {
    const { gtin, language, family, position } = request;
    const { listedModified } = request;
    run.staging.stageProduct({ gtin, language, family, position, listedModified, ...evaluated });
    count(evaluated.outcome === 'read' || evaluated.outcome === 'not-modified');
  };
  /** Without a conclusive answer: what an unfinished run has read is newer than what is stored. */
  const keep = (request: LanguageRequest) => {
    if (request.held) return takeOver(request, request.held, false);
    repeatWarnings(run, request, request.known?.warnings);
    onResult(request, { outcome: 'kept' });
  };
  const takeOver = (request: LanguageRequest, held: HeldProduct, isCurrent: boolean) => {
    run.staging.takeOver(request, isCurrent);
    repeatWarnings(run, request, held.warnings);
    run.tally.resumed += 1;
    if (!isCurrent) {
      const { uncompared } = run.tally;
      uncompared.count += 1;
      uncompared.asOf = [uncompared.asOf ?? held.checkedAt, held.checkedAt].toSorted()[0];
    }
    count(true);
  };

  const all = listRequests(assortment, languages, run, { client, productList: productList, isAnother: !before });
  const unread = [...all].filter((request) => {
    const { held, listedModified } = request;
    if (held && listedModified !== undefined && held.listedModified === listedModified) takeOver(request, held, true);
    else if (held && listedModified === undefined && !held.etag && !held.lastModified) takeOver(request, held, false);
    else if (isWhole || !isUnchanged(request)) return true;
    else {
      repeatWarnings(run, request, request.known?.warnings);
      onResult(request, { outcome: 'not-modified' });
    }
    return false;
  });
  const left =
    productList?.hasExport && isWorthAnExport(unread, total)
      ? await readExport(run, client, unread, { listed: productList.size, onResult })
      : unread;
  const isAnsweredWell = counter.usable > 0;
  await askEach(run, client, inOrder(run, left), { total, isAnsweredWell, onResult, keep, takeOver });

  if (counter.usable === 0 && run.tally.unasked === 0) throw unusable(run, upstream);
  for (const kind of ['product', 'language', 'family', 'assortment'] as const) run.staging.completeKind(kind);
  const isWholeRead = isWhole && run.tally.unasked === 0;
  return { name: 'product', base, cursor: isWholeRead ? run.startedAt.toISOString() : before?.cursor };
}

/** A run that may not ask for everything can't make up for a list either. */
function isWholeReadDue({ budget, startedAt, settings }: SyncRun, before: StoredSource | undefined): boolean {
  if (budget.maxRequests !== undefined || budget.maxMinutes !== undefined) return false;
  const agoMs = startedAt.getTime() - Date.parse(before?.cursor ?? '');
  return !(Math.abs(agoMs) < settings.options.sync.fullReadHours * HOUR_MS);
}

/** @param isKnown Whether the stored languages are those of this interface. */
async function readLanguages(run: SyncRun, client: ProductClient, isKnown: boolean): Promise<string[]> {
  const answer = await client.languages();
  if (answer.kind !== 'ok') throw upstreamError(answer, PRODUCT_HINTS);
  const { languages, mainLanguage } = run.settings.options;
  const { problem } = answer.value;
  let listed = answer.value.languages;
  if (problem !== undefined) {
    // A language that only an incomplete list lacks is not gone, and has not moved.
    const stored = isKnown ? run.snapshot.languages() : [];
    listed = [...new Map([...stored, ...listed].map((language) => [language.code, language])).values()];
    run.issues.problem({
      kind: 'language',
      id: displayUrl(answer.url),
      field: '',
      problem: `of the list may be missing: the list ${problem}`,
      advice: 'Have the list of languages corrected at the product interface. Languages that are known stay.',
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
    const problem = 'is the main language, but not one that the interface lists';
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
  { snapshot, staging, isFull }: SyncRun,
  {
    client,
    productList,
    isAnother,
  }: { client: ProductClient; productList: ProductList | undefined; isAnother: boolean },
): Generator<LanguageRequest> {
  const isNew = isFull('product');
  const isOutgrown = isAnother || isNew || snapshot.isOutgrown(NORMALISER_VERSION);
  for (const [position, { gtin, family }] of rows.entries()) {
    const address = client.addressOf(gtin);
    for (const language of languages) {
      const known = snapshot.known(gtin, language);
      const usable = known && (isOutgrown || !known.warnings) ? withoutValidators(known) : known;
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

/** For records that must be read in full: by another normaliser, of another upstream, or because the caller asks. */
function withoutValidators(known: KnownProduct): KnownProduct {
  return { ...known, etag: undefined, lastModified: undefined, listedModified: undefined };
}

function isUnchanged({ known, listedModified }: LanguageRequest): boolean {
  return known?.state === 'present' && listedModified !== undefined && known.listedModified === listedModified;
}

function isWorthAnExport(unread: readonly LanguageRequest[], total: number): boolean {
  const listed = unread.filter(({ listedModified }) => listedModified !== undefined);
  return listed.length >= EXPORT_MIN && listed.length >= total * EXPORT_SHARE;
}

/**
 * Shuffled, so that neighbours with the same fault don't come in a row. If not all can be requested, records that were
 * never read come first, then the longest unread.
 */
function inOrder(run: SyncRun, listRequests: readonly LanguageRequest[]): readonly LanguageRequest[] {
  const { maxRequests, maxMinutes } = run.budget;
  if (maxRequests === undefined && maxMinutes === undefined) return mixOrder(listRequests);
  return listRequests.toSorted((a, b) => (a.known?.checkedAt ?? '').localeCompare(b.known?.checkedAt ?? ''));
}

interface AskEachOptions {
  total: number;
  /** Whether the interface has answered for other records already. */
  isAnsweredWell: boolean;
  onResult: (request: LanguageRequest, evaluated: EvaluatedProduct) => void;
  keep: (request: LanguageRequest) => void;
  takeOver: (request: LanguageRequest, held: HeldProduct, isCurrent: boolean) => void;
}

async function askEach(
  run: SyncRun,
  client: ProductClient,
  listRequests: readonly LanguageRequest[],
  { total, isAnsweredWell, onResult, keep, takeOver }: AskEachOptions,
): Promise<void> {
  const { concurrency, guard } = run.settings.options.sync;
  const watch = watchAnswers(total, guard.failed);
  if (isAnsweredWell) watch.good();
  const ask = async (request: LanguageRequest) => {
    if (watch.verdict) throw watch.verdict;
    if (run.isSpent()) return { request, answer: undefined };
    const { gtin, language, held } = request;
    const { etag, lastModified } = held ?? request.known ?? {};
    const answer = await client.product(gtin, language, { etag, lastModified });
    // Evaluated as it arrives, so that a server that fails everything gets no more requests.
    if (isConclusive(answer)) watch.good();
    else watch.bad(answer);
    return { request, answer };
  };
  for await (const { request, answer } of mapConcurrently(listRequests, concurrency, ask)) {
    if (!answer) {
      run.tally.unasked += 1;
      keep(request);
    } else if (!isConclusive(answer)) {
      reportUnread(run, request, { answer, hasLastGood: request.known?.state === 'present' });
      keep(request);
    } else if (request.held && answer.kind === 'not-modified') {
      takeOver(request, request.held, true);
    } else {
      onResult(request, evaluateAnswer(run, request, answer));
    }
  }
  if (watch.verdict) throw watch.verdict;
}

function unusable(run: SyncRun, upstream: ProductUpstream): SortimentError {
  const issues = [...run.issues.problems, ...run.issues.warnings];
  return new SortimentError(
    'PRODUCTS_UNUSABLE',
    `Not a single record of ${displayUrl(upstream.root)} can be used:\n${formatIssues(issues)}`,
    { hint: 'Check that PRODUCT_API_URL leads to the right interface, or have the records corrected there.' },
  );
}

/** The items in a different but fixed order, in which consecutive items were far apart. */
export function mixOrder<T>(items: readonly T[]): T[] {
  let step = Math.max(1, Math.round(items.length * STEP_SHARE));
  while (divisor(step, items.length) > 1) step += 1;
  return items.map((item, i) => items[(i * step) % items.length] ?? item);
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
