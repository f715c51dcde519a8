import { displayUrl, productClient, upstreamError, type ProductClient } from '../../client/index.ts';
import type { ProductUpstream } from '../../config/index.ts';
import { SortimentError } from '../../contracts/index.ts';
import {
  NORMALISER_VERSION,
  digestRecord,
  type KnownProduct,
  type ReadSource,
  type StoredSource,
} from '../../snapshot/index.ts';
import type { Assortment } from '../assortment/read-assortment.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { formatIssues } from '../report/format-issues.ts';
import type { SyncRun } from '../sync-run.ts';
import { chooseLanguages } from './choose-languages.ts';
import { countFailures } from './count-failures.ts';
import { judgeAnswer, PRODUCT_HINTS, type AskedProduct, type JudgedProduct } from './judge-answer.ts';
import { readExport } from './read-export.ts';
import { readListing, type Listing } from './read-listing.ts';

/** One record to be read, with what is stored of it. */
export interface Asking extends AskedProduct {
  known: KnownProduct | undefined;
  /** What the interface's own list says of its last change. */
  listedModified: string | undefined;
}

/** An export is one request, but sends every record: it pays when a good part of them is wanted. */
const EXPORT_SHARE = 0.2;
const EXPORT_MIN = 50;
/** What a list gets wrong (a new price under an old date, an export out of a cache) is seen this much later. */
const WHOLE_READ_MS = 7 * 24 * 3_600_000;

/**
 * Brings every product of the assortment in every language into the staging area: read by an unfinished run, unchanged
 * as the interface's own list says, out of its export, or asked for one by one; whatever the server offers.
 * @throws SortimentError UPSTREAM_… at the first answer that says something about the interface rather than about a
 *   product, and when too many requests fail; PRODUCTS_UNUSABLE when there is nothing to show for it at all.
 */
export async function fetchProducts(
  run: SyncRun,
  upstream: ProductUpstream,
  assortment: Assortment,
): Promise<ReadSource> {
  const client = productClient(upstream, run.transport);
  const languages = await readLanguages(run, client);
  stageAssortment(run, assortment);
  const total = assortment.rows.length * languages.length;
  const base = displayUrl(upstream.root);
  run.logger.debug(`${base}: ${total} records.`);

  const before = run.snapshot.sources().find((source) => source.name === 'product' && source.base === base);
  const listing = await readListing(run, client, upstream.root);
  const isWhole = !listing || isWholeReadDue(run, before);
  const counter = { done: 0, usable: 0 };
  const settle = (asking: Asking, judged: JudgedProduct | { outcome: 'kept' | 'not-modified' }) => {
    const { gtin, language, family, position } = asking;
    const { listedModified } = asking;
    run.staging.stageProduct({ gtin, language, family, position, listedModified, ...judged });
    if (judged.outcome === 'read' || judged.outcome === 'not-modified') counter.usable += 1;
    counter.done += 1;
    run.progress({ stage: 'products', done: counter.done, total });
  };

  const unread = [...askings(assortment, languages, run, { listing, isAnother: !before })].filter((asking) => {
    if (run.staging.takeOver(asking)) {
      run.tally.resumed += 1;
      counter.usable += 1;
      counter.done += 1;
      return false;
    }
    if (isWhole || !isUnchanged(asking)) return true;
    settle(asking, { outcome: 'not-modified' });
    return false;
  });
  const left =
    listing?.hasExport && isWorthAnExport(unread, total)
      ? await readExport(run, client, unread, { listed: listing.size, settle })
      : unread;
  await askEach(run, client, stalestFirst(run, left), { total, settle });

  if (counter.usable === 0 && run.tally.unasked === 0) throw unusable(run, upstream);
  for (const kind of ['product', 'language', 'family', 'assortment'] as const) run.staging.completeKind(kind);
  return { name: 'product', base, cursor: isWhole ? run.startedAt.toISOString() : before?.cursor };
}

/** A run that may not ask for everything can't make up for a list either. */
function isWholeReadDue({ budget, startedAt }: SyncRun, before: StoredSource | undefined): boolean {
  if (budget.maxRequests !== undefined || budget.maxMinutes !== undefined) return false;
  const agoMs = startedAt.getTime() - Date.parse(before?.cursor ?? '');
  return !(Math.abs(agoMs) < WHOLE_READ_MS);
}

async function readLanguages(run: SyncRun, client: ProductClient): Promise<string[]> {
  const answer = await client.languages();
  if (answer.kind !== 'ok') throw upstreamError(answer, PRODUCT_HINTS);
  const { languages, mainLanguage } = run.settings.options;
  const listed = [...new Map(answer.value.map((language) => [language.code, language])).values()];
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

function* askings(
  { rows }: Assortment,
  languages: readonly string[],
  { snapshot }: SyncRun,
  { listing, isAnother }: { listing: Listing | undefined; isAnother: boolean },
): Generator<Asking> {
  const isOutgrown = isAnother || snapshot.isOutgrown(NORMALISER_VERSION);
  for (const [position, { gtin, family }] of rows.entries()) {
    for (const language of languages) {
      const known = snapshot.known(gtin, language);
      const usable = known && isOutgrown ? withoutValidators(known) : known;
      yield { gtin, language, family, position, known: usable, listedModified: listing?.modifiedOf(gtin, language) };
    }
  }
}

/** What was stored by another normaliser has to come whole, and what another upstream has said proves nothing here. */
function withoutValidators(known: KnownProduct): KnownProduct {
  return { ...known, etag: undefined, lastModified: undefined, listedModified: undefined };
}

function isUnchanged({ known, listedModified }: Asking): boolean {
  return known?.state === 'present' && listedModified !== undefined && known.listedModified === listedModified;
}

function isWorthAnExport(unread: readonly Asking[], total: number): boolean {
  const listed = unread.filter(({ listedModified }) => listedModified !== undefined);
  return listed.length >= EXPORT_MIN && listed.length >= total * EXPORT_SHARE;
}

/** Only where not all may be reached does it matter who comes first: those never read, then the longest unread. */
function stalestFirst(run: SyncRun, askings: readonly Asking[]): readonly Asking[] {
  const { maxRequests, maxMinutes } = run.budget;
  if (maxRequests === undefined && maxMinutes === undefined) return askings;
  return askings.toSorted((a, b) => (a.known?.checkedAt ?? '').localeCompare(b.known?.checkedAt ?? ''));
}

async function askEach(
  run: SyncRun,
  client: ProductClient,
  askings: readonly Asking[],
  { total, settle }: { total: number; settle: (asking: Asking, judged: JudgedProduct | { outcome: 'kept' }) => void },
): Promise<void> {
  const failures = countFailures(run, total);
  const ask = async (asking: Asking) => {
    if (run.isSpent()) return { asking, answer: undefined };
    const { gtin, language, known } = asking;
    const validators = known && { etag: known.etag, lastModified: known.lastModified };
    return { asking, answer: await client.product(gtin, language, validators) };
  };
  for await (const { asking, answer } of mapConcurrently(askings, run.settings.options.sync.concurrency, ask)) {
    if (!answer) {
      run.tally.unasked += 1;
      settle(asking, { outcome: 'kept' });
    } else if (answer.kind === 'unavailable' || answer.kind === 'throttled') {
      failures.add(asking, answer);
      settle(asking, { outcome: 'kept' });
    } else {
      settle(asking, judgeAnswer(run, asking, answer));
    }
  }
}

function unusable(run: SyncRun, upstream: ProductUpstream): SortimentError {
  const issues = [...run.issues.problems, ...run.issues.warnings];
  return new SortimentError(
    'PRODUCTS_UNUSABLE',
    `Not a single record of ${displayUrl(upstream.root)} can be used:\n${formatIssues(issues)}`,
    { hint: 'Check that PRODUCT_API_URL leads to the right interface, or have the records corrected there.' },
  );
}
