import { upstreamError, type Answer } from '../../client/index.ts';
import type { Problem } from '../../contracts/index.ts';
import type { KnownProduct, StagedProduct } from '../../snapshot/index.ts';
import type { SyncRun } from '../sync-run.ts';
import { checkProduct } from './check-product.ts';

/** One request: a product in a language, with its place in the assortment. */
export type AskedProduct = Pick<StagedProduct, 'gtin' | 'language' | 'family' | 'position'>;

/** What the staging area takes of an answer. */
export type JudgedProduct =
  | Omit<Extract<StagedProduct, { outcome: 'read' }>, keyof AskedProduct | 'listedModified'>
  | { outcome: 'not-modified' | 'gone' | 'missing' | 'kept' };

/** What the reader should change, by what the interface answers. */
export const PRODUCT_HINTS = {
  unauthorisedHint: "Set PRODUCT_API_TOKEN to the token that the interface's docs/ page shows you.",
  addressHint: 'Set PRODUCT_API_URL to the address that the product interface is served at.',
};

const HOUR_MS = 3_600_000;

/**
 * What one answer means for the one product.
 * @throws SortimentError UPSTREAM_… for an answer that says something about the interface as a whole.
 */
export function judgeAnswer(
  run: SyncRun,
  asked: AskedProduct & { known: KnownProduct | undefined },
  answer: Answer<unknown>,
): JudgedProduct {
  const subject = { kind: 'product', id: asked.gtin, language: asked.language } as const;
  switch (answer.kind) {
    case 'ok':
      return judgeRecord(run, asked, answer.value, answer.validators);
    case 'not-modified':
      return { outcome: 'not-modified' };
    case 'gone':
      return judgeAbsence(run, asked);
    case 'refused':
    case 'unreadable':
      run.issues.problem({ ...subject, field: '', problem: `was answered ${answer.detail}`, wire: answer.sample });
      return { outcome: 'kept' };
    default:
      throw upstreamError(answer, PRODUCT_HINTS);
  }
}

/** What a record means that came in whatever way. */
export function judgeRecord(
  { issues }: SyncRun,
  asked: AskedProduct,
  wire: unknown,
  validators: { etag?: string | undefined; lastModified?: string | undefined } = {},
): JudgedProduct {
  const subject = { kind: 'product', id: asked.gtin, language: asked.language } as const;
  const checked = checkProduct(wire, asked);
  for (const warning of checked.warnings) issues.warning({ ...subject, ...warning });
  if (!checked.ok) {
    for (const problem of checked.problems) issues.problem({ ...subject, ...problem, wire: memberOf(wire, problem) });
    return { outcome: 'kept' };
  }
  const { record, recordLanguage, digest, references } = checked;
  const { etag, lastModified } = validators;
  return { outcome: 'read', record, recordLanguage, digest, references, etag, lastModified };
}

/** A 404 of the interface's own. A known record is only believed to be gone after some runs and some time. */
function judgeAbsence(run: SyncRun, { gtin, language, known }: AskedProduct & { known: KnownProduct | undefined }) {
  const problem = 'is not known to the interface in that language';
  if (known?.state !== 'present') {
    run.issues.warning({ kind: 'product', id: gtin, language, field: '', problem });
    return { outcome: 'gone' as const };
  }
  const { runs: runsNeeded, hours } = run.settings.options.sync.confirmRemovals;
  const since = known.missingSince ?? run.startedAt.toISOString();
  const runs = known.missingRuns + 1;
  const isLong = run.startedAt.getTime() - Date.parse(since) >= hours * HOUR_MS;
  if (runs >= runsNeeded && isLong) return { outcome: 'gone' as const };
  run.tally.awaitedRemovals.push({ gtin, language, since, runs });
  return { outcome: 'missing' as const };
}

/** The value that a problem is about. */
function memberOf(record: unknown, { field }: Problem): unknown {
  let value = record;
  for (const step of field.split(/[.[\]]+/).filter(Boolean)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
