import type { UpstreamResult } from '#client/upstream-error.ts';
import { type Problem, type StoredWarning, cleanText } from '#contracts/index.ts';
import {
  DOCUMENT_FIELDS,
  IMAGE_FIELDS,
  product as productSchema,
  type ProductField,
  type ProductRecord,
} from '#contracts/product/index.ts';
import {
  type LastGoodRecord,
  parseProduct,
  parseProductLeniently,
  type ProductWarning,
} from '#contracts/product/parse-product.ts';
import { type ProductCheck, type StagedProduct, digestProduct, type ProductValidators } from '#snapshot/index.ts';
import { formatValue } from '../report/collect-issues.ts';
import type { SyncRun } from '../sync-options.ts';
import { ID_PREFIX } from '#contracts/html/html-text.ts';
import type { FileReference } from '#contracts/synced/index.ts';
import { findAssets } from '../publishing/stage-rows.ts';
import { sanitiseHtml, type LostMedia } from '../publishing/sanitise-html.ts';
import { describeLostMedia } from '../publishing/text-tools.ts';

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

type CheckedProduct =
  | {
      ok: true;
      /** The record as received, with sanitised HTML. */
      record: ProductRecord;
      /** Language of the record. If it differs from the requested one, the record is a fallback. */
      recordLanguage: string;
      digest: string;
      references: FileReference[];
      warnings: (ProductWarning & StoredWarning)[];
    }
  | { ok: false; problems: Problem[]; warnings: ProductWarning[] };

const HTML_FIELDS = (Object.keys(productSchema.shape) as ProductField[]).filter(
  (field) => productSchema.shape[field].meta()?.['contentMediaType'] === 'text/html',
);

interface CheckProductOptions {
  gtin: string;
  /** Address of the record, for resolving its relative links. */
  address?: string;
  /**
   * Rejects a record with an invalid optional field.
   * @default false
   */
  isStrict?: boolean;
  /**
   * The stored record, whose values replace invalid ones.
   * @default invalid values are omitted
   */
  lastGood?: () => LastGoodRecord | undefined;
  /** Address of the interface, for resolving relative links in texts. */
  htmlBase?: string | undefined;
  /**
   * True if files may be fetched from an address.
   * @default none
   */
  isMediaHost?: (url: URL) => boolean;
}

/**
 * Validates a record of the product interface and converts it to the stored form. IDs in its texts are prefixed with
 * the field name, because all texts share a page.
 */
export function checkProduct(wire: unknown, asked: CheckProductOptions): CheckedProduct {
  const { gtin, address: base, isStrict = false, lastGood } = asked;
  const parsed = isStrict
    ? parseProduct(wire, { gtin })
    : parseProductLeniently(wire, { gtin, base, ...(lastGood && { lastGood }) });
  if (!parsed.ok) return parsed;
  const { product, record, warnings } = parsed;
  const mediaWarnings: StoredWarning[] = [];
  // Last good texts are already sanitised.
  const isStored = (field: string) => warnings.some((warning) => warning.field === field && warning.lastGood);
  const texts = HTML_FIELDS.flatMap((field) => {
    const html = product[field];
    if (typeof html !== 'string' || html === '') return [];
    if (isStored(field)) return [{ field, text: html, isChanged: false }];
    const onLost = (lost: LostMedia) => void mediaWarnings.push({ field, ...describeLostMedia(lost) });
    const text = cleanText(sanitiseHtml(html, { base: asked.htmlBase, idPrefix: `${ID_PREFIX}${field}-`, onLost }));
    return [{ field, text, isChanged: text !== html }];
  });
  const changed = texts.filter(({ isChanged }) => isChanged).map(({ field, text }) => [field, text]);
  /** Replaces texts that were changed. Usually none are, and then nothing is copied. */
  const withTexts = <T extends object>(read: T): T =>
    changed.length === 0 ? read : { ...read, ...Object.fromEntries(changed) };
  const links = (fields: readonly (keyof typeof product)[], kind: FileReference['kind']) =>
    fields.flatMap((field) => {
      const address = product[field];
      return typeof address === 'string' && address !== '' ? [{ address, kind }] : [];
    });
  const isMediaHost = (address: string) => URL.canParse(address) && asked.isMediaHost?.(new URL(address)) === true;
  return {
    ok: true,
    record: withTexts(record),
    recordLanguage: product.language,
    digest: digestProduct(withTexts(product)),
    references: [
      ...links(IMAGE_FIELDS, 'image'),
      ...links(DOCUMENT_FIELDS, 'document'),
      ...texts.flatMap(({ text }) => findAssets(text, isMediaHost)),
    ],
    warnings: [...warnings, ...mediaWarnings],
  };
}

/** A record to be read, with its stored data. */
export interface LanguageRequest extends ProductRequestContext {
  /** Last change according to the interface's list. */
  listedModified: string | undefined;
  /** Validators of the record as read by an unfinished run. */
  held: ProductValidators | undefined;
}
