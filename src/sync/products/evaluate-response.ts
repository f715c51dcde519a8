import type { UpstreamResult } from '#client/upstream-result.ts';
import type { Problem, StoredWarning } from '#contracts/index.ts';
import type { LastGoodRecord } from '#contracts/product/index.ts';
import type { ProductCheck, StagedProduct } from '#snapshot/index.ts';
import { formatValue } from '../report/collect-issues.ts';
import type { SyncRun } from '../sync-run.ts';
import { checkProduct } from './check-product.ts';

/** Product and language of a request, with the position in the assortment. */
export type ProductRequest = Pick<StagedProduct, 'gtin' | 'language' | 'family' | 'position'>;

/** A request together with the stored record. */
export type ProductRequestContext = ProductRequest & {
  known: ProductCheck | undefined;
  /** Address of the record, for resolving its relative links. */
  address: string;
  /** True if the stored record comes from another interface. */
  isAnother: boolean;
};

/** Result of a response as staged. */
export type ProductOutcome =
  | Omit<Extract<StagedProduct, { outcome: 'read' }>, keyof ProductRequest | 'listedModified'>
  | { outcome: 'not-modified' | 'gone' | 'missing' | 'kept' };

const CORRECT_RECORD = 'Have the record corrected at the product interface.';

const HOUR_MS = 3_600_000;

/** A response that says something about the record: valid, unchanged or missing. */
export type ConclusiveResponse = UpstreamResult<unknown> & { kind: 'ok' | 'not-modified' | 'gone' };

/** True if a response says something about the record. Responses such as 401, 5xx or HTML don't. */
export function isConclusive(answer: UpstreamResult<unknown>): answer is ConclusiveResponse {
  return answer.kind === 'ok' || answer.kind === 'not-modified' || answer.kind === 'gone';
}

/** Evaluates the response for a product. */
export function evaluateResponse(
  run: SyncRun,
  asked: ProductRequestContext,
  answer: ConclusiveResponse,
): ProductOutcome {
  switch (answer.kind) {
    case 'ok':
      return evaluateRecord(run, asked, answer.value, answer.validators);
    case 'not-modified':
      repeatWarnings(run, asked, asked.known?.warnings);
      return { outcome: 'not-modified' };
    default:
      return evaluateAbsence(run, asked);
  }
}

/** Evaluates a record from a response or from the export. */
export function evaluateRecord(
  run: SyncRun,
  asked: ProductRequestContext,
  wire: unknown,
  validators: { etag?: string | undefined; lastModified?: string | undefined } = {},
): ProductOutcome {
  const { issues, settings, productBase, isMediaHost } = run;
  const { invalidFields } = settings.options.sync;
  const subject = { kind: 'product', id: asked.gtin, language: asked.language } as const;
  const { gtin, address } = asked;
  const checked = checkProduct(wire, {
    gtin,
    address,
    isStrict: invalidFields === 'strict',
    ...(invalidFields === 'keep' && { lastGood: () => findLastGood(run, asked) }),
    htmlBase: productBase,
    isMediaHost,
  });
  if (!checked.ok) {
    const hasLastGood = asked.known?.state === 'present';
    for (const warning of checked.warnings) issues.warning({ ...subject, ...warning, wire: memberOf(wire, warning) });
    for (const problem of checked.problems) {
      issues.problem({ ...subject, advice: CORRECT_RECORD, ...problem, wire: memberOf(wire, problem), hasLastGood });
    }
    return { outcome: 'kept' };
  }
  const warnings = checked.warnings.map(({ lastGood, ...warning }): StoredWarning => {
    const shown = formatValue(memberOf(wire, warning));
    if (!lastGood) return shown === undefined ? warning : { shown, ...warning };
    const stays = `${formatValue(lastGood.value)} of ${lastGood.date.slice(0, 10)} stays`;
    return { ...warning, shown: `${shown}; ${stays}`, lastGoodAt: lastGood.date };
  });
  for (const warning of warnings) issues.warning({ ...subject, ...warning });
  const { record, recordLanguage, digest, references } = checked;
  const { etag, lastModified } = validators;
  return { outcome: 'read', record, recordLanguage, digest, references, etag, lastModified, warnings };
}

/** Returns the stored record if it is present, with the dates of values that replace invalid ones. */
function findLastGood(
  { snapshot }: SyncRun,
  { gtin, language, known, isAnother }: ProductRequestContext,
): LastGoodRecord | undefined {
  const stored = isAnother || known?.state !== 'present' ? undefined : snapshot.product(gtin, language);
  if (!stored || !known) return undefined;
  const dates = (known.warnings ?? []).flatMap(({ field, lastGoodAt }) =>
    lastGoodAt === undefined ? [] : [{ name: field.split('[', 1)[0], lastGoodAt }],
  );
  const dateOf = (field: string) =>
    dates
      .filter(({ name }) => name === field)
      .map(({ lastGoodAt }) => lastGoodAt)
      .toSorted()[0] ?? known.checkedAt;
  return { record: stored.record, dateOf };
}

/** Repeats the stored warnings of an unchanged record. */
export function repeatWarnings(
  { issues }: SyncRun,
  { gtin: id, language }: ProductRequest,
  warnings: readonly StoredWarning[] = [],
): void {
  for (const warning of warnings) issues.warning({ kind: 'product', id, language, ...warning });
}

/** Evaluates a 404 from the interface itself. A present record counts as gone only after several runs and some time. */
function evaluateAbsence(run: SyncRun, { gtin, language, known }: ProductRequestContext) {
  if (known?.state !== 'present') {
    const problem = 'is not known to the interface in that language';
    const advice = 'Correct the GTIN in the assortment, or have the product added in that language.';
    run.issues.warning({ kind: 'product', id: gtin, language, field: '', problem, advice });
    return { outcome: 'gone' as const };
  }
  const { runs: runsNeeded, hours } = run.settings.options.sync.confirmRemovals;
  const since = known.missingSince ?? run.startedAt.toISOString();
  const runs = known.missingRuns + 1;
  const dueAt = Date.parse(since) + hours * HOUR_MS;
  if (runs >= runsNeeded && run.startedAt.getTime() >= dueAt) return { outcome: 'gone' as const };
  run.tally.awaitedRemovals.push({
    gtin,
    language,
    since,
    runs,
    runsLeft: Math.max(1, runsNeeded - runs),
    notBefore: new Date(dueAt).toISOString(),
  });
  return { outcome: 'missing' as const };
}

/** Returns the value that a problem refers to. */
function memberOf(record: unknown, { field }: Problem): unknown {
  let value = record;
  for (const step of field.split(/[.[\]]+/).filter(Boolean)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
