import { displayUrl, productClient, upstreamError, type Answer, type ProductClient } from '../client/index.ts';
import type { ProductUpstream } from '../config/index.ts';
import { SortimentError, type Problem } from '../contracts/index.ts';
import { NORMALISER_VERSION, digestRecord, type StagedProduct } from '../snapshot/index.ts';
import { checkProduct } from './check-product.ts';
import { chooseLanguages } from './choose-languages.ts';
import { formatIssues } from './format-issues.ts';
import { mapConcurrently } from './map-concurrently.ts';
import type { Assortment } from './read-assortment.ts';
import type { SyncRun } from './sync-run.ts';

/** One request: a product in a language, with its place in the assortment. */
type Asked = Pick<StagedProduct, 'gtin' | 'language' | 'family' | 'position'>;

/** What the reader should change, by what the interface answers. */
const HINTS = {
  unauthorisedHint: "Set PRODUCT_API_TOKEN to the token that the interface's docs/ page shows you.",
  addressHint: 'Set PRODUCT_API_URL to the address that the product interface is served at.',
};

/**
 * Asks the product interface for every product of the assortment in every language, checks the answers and stages
 * them.
 * @throws SortimentError UPSTREAM_… at the first answer that says something about the interface rather than about a
 *   product; PRODUCTS_UNUSABLE when not a single record can be used.
 */
export async function fetchProducts(
  run: SyncRun,
  upstream: ProductUpstream,
  assortment: Assortment,
): Promise<{ name: 'product'; base: string; cursor: undefined }> {
  const client = productClient(upstream, run.transport);
  const languages = await readLanguages(run, client);
  stageAssortment(run, assortment);
  const asked = assortment.rows.flatMap(({ gtin, family }, position) =>
    languages.map((language): Asked => ({ gtin, family, position, language })),
  );
  const { concurrency } = run.settings.options.sync;
  run.logger.debug(`Asking ${displayUrl(upstream.root)} for ${asked.length} records.`);
  let done = 0;
  let usable = 0;
  for await (const { asking, answer } of mapConcurrently(asked, concurrency, (asking) => ask(run, client, asking))) {
    const staged = checkAnswer(run, asking, answer);
    run.staging.stageProduct({ ...asking, ...staged });
    if (staged.outcome === 'read' || staged.outcome === 'not-modified') usable += 1;
    done += 1;
    run.progress({ stage: 'products', done, total: asked.length });
  }
  if (usable === 0) throw unusable(run, upstream);
  for (const kind of ['product', 'language', 'family', 'assortment'] as const) run.staging.completeKind(kind);
  return { name: 'product', base: displayUrl(upstream.root), cursor: undefined };
}

async function readLanguages(run: SyncRun, client: ProductClient): Promise<string[]> {
  const answer = await client.languages();
  if (answer.kind !== 'ok') throw upstreamError(answer, HINTS);
  const { languages, mainLanguage } = run.settings.options;
  const chosen = chooseLanguages(answer.value, languages);
  for (const [position, { code, name }] of answer.value.entries()) {
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

async function ask(run: SyncRun, client: ProductClient, asking: Asked) {
  const { gtin, language } = asking;
  const validators = run.snapshot.validators(gtin, language, NORMALISER_VERSION);
  return { asking, answer: await client.product(gtin, language, validators) };
}

/** What one answer means for the one product, or for all of them. */
function checkAnswer(run: SyncRun, asking: Asked, answer: Answer<unknown>) {
  const { gtin: id, language } = asking;
  const subject = { kind: 'product', id, language } as const;
  switch (answer.kind) {
    case 'ok': {
      const checked = checkProduct(answer.value, asking);
      for (const warning of checked.warnings) run.issues.warning({ ...subject, ...warning });
      if (checked.ok) return { outcome: 'read' as const, ...checked, ...noUndefined(answer.validators) };
      for (const problem of checked.problems) {
        run.issues.problem({ ...subject, ...problem, wire: wireOf(answer.value, problem) });
      }
      return { outcome: 'unusable' as const };
    }
    case 'not-modified':
      return { outcome: 'not-modified' as const };
    case 'gone':
      run.issues.warning({ ...subject, field: '', problem: 'is not known to the interface in that language' });
      return { outcome: 'gone' as const };
    case 'refused':
    case 'unreadable':
      run.issues.problem({ ...subject, field: '', problem: `was answered ${answer.detail}`, wire: answer.sample });
      return { outcome: 'unusable' as const };
    default:
      throw upstreamError(answer, HINTS);
  }
}

function noUndefined({ etag, lastModified }: { etag?: string | undefined; lastModified?: string | undefined }) {
  return { etag, lastModified };
}

/** The value that a problem is about. */
function wireOf(record: unknown, { field }: Problem): unknown {
  let value = record;
  for (const step of field.split(/[.[\]]+/).filter(Boolean)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function unusable(run: SyncRun, upstream: ProductUpstream): SortimentError {
  return new SortimentError(
    'PRODUCTS_UNUSABLE',
    `Not a single record of ${displayUrl(upstream.root)} can be used:\n${formatIssues([...run.issues.problems, ...run.issues.warnings])}`,
    { hint: 'Check that PRODUCT_API_URL leads to the right interface, or have the records corrected there.' },
  );
}
