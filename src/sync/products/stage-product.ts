import type { Validators } from '#client/exchange.ts';
import { recordFailureAdvice, type UpstreamFailure, type UpstreamResult } from '#client/upstream-result.ts';
import type { ProductFields } from '#config/index.ts';
import { cleanText, formatValue, memberOf, type Problem, type StoredWarning } from '#contracts/index.ts';
import { ID_PREFIX } from '#contracts/html/html-text.ts';
import {
  product as productSchema,
  type ProductField,
  type ProductRecord,
  type RecordDocument,
} from '#contracts/product/index.ts';
import {
  type LastGoodRecord,
  parseProduct,
  parseProductLeniently,
  type ProductWarning,
} from '#contracts/product/parse-product.ts';
import { parseFieldValue, sourceNames } from '#contracts/product/product-fields.ts';
import {
  digestProduct,
  listProductAssets,
  type ProductCheck,
  type ProductValidators,
  type StagedProduct,
} from '#snapshot/index.ts';
import { findAssets } from '../publishing/stage-rows.ts';
import { describeLostMedia, sanitiseHtml, type LostMedia } from '../publishing/sanitise-html.ts';
import type { SyncRun } from '../sync-options.ts';

/** Product and language to read, with the position in the assortment and the stored record. */
export interface ProductRequest {
  gtin: string;
  language: string;
  family: string | undefined;
  position: number;
  /** Last change according to the interface's list. */
  listedModified: string | undefined;
  known: ProductCheck | undefined;
  /** Validators of the record as read by an unfinished run, which is newer than the stored one. */
  held: ProductValidators | undefined;
  /** Address of the record, for resolving its relative links. */
  address: string;
  /** True if the stored record comes from another interface. */
  isAnother: boolean;
}

/**
 * True if a response says something about the record: valid, unchanged or missing. Responses such as 401, 5xx or HTML
 * don't.
 */
export function isConclusive(
  answer: UpstreamResult<unknown>,
): answer is UpstreamResult<unknown> & { kind: 'ok' | 'not-modified' | 'gone' } {
  return answer.kind === 'ok' || answer.kind === 'not-modified' || answer.kind === 'gone';
}

type Outcome =
  | Omit<Extract<StagedProduct, { outcome: 'read' }>, keyof ProductRequest>
  | { outcome: 'not-modified' | 'gone' | 'missing' | 'kept' };

export type ProductStager = ReturnType<typeof productStager>;

/**
 * Evaluates responses for products, reports their problems and stages the results.
 * @param total Number of records, for the progress.
 */
export function productStager(run: SyncRun, total: number) {
  const { staging, tally } = run;
  let usable = 0;
  let done = 0;
  const count = (isUsable: boolean): void => {
    if (isUsable) usable += 1;
    done += 1;
    run.progress({ stage: 'products', done, total });
  };
  const stage = (request: ProductRequest, outcome: Outcome): void => {
    const { gtin, language, family, position, listedModified } = request;
    staging.stageProduct({ gtin, language, family, position, listedModified, ...outcome });
    count(outcome.outcome === 'read' || outcome.outcome === 'not-modified');
  };
  /** Repeats the warnings stored with a record that is not read. */
  const repeatWarnings = ({ gtin: id, language }: ProductRequest, warnings: StoredWarning[] = []) => {
    for (const warning of warnings) run.issues.warning({ kind: 'product', id, language, ...warning });
  };
  const stageStored = (request: ProductRequest, outcome: 'not-modified' | 'kept'): void => {
    repeatWarnings(request, request.known?.warnings);
    stage(request, { outcome });
  };
  const takeOver = (request: ProductRequest, held: ProductValidators, isCurrent: boolean): void => {
    staging.takeOver(request, isCurrent);
    repeatWarnings(request, held.warnings);
    tally.resumed += 1;
    if (!isCurrent) {
      const { uncompared } = tally;
      uncompared.count += 1;
      uncompared.asOf = [uncompared.asOf ?? held.checkedAt, held.checkedAt].toSorted()[0];
    }
    count(true);
  };
  return {
    /** Number of records that are valid or unchanged. */
    get usable() {
      return usable;
    },
    /**
     * Stages a record of an unfinished run, or one that the interface's list reports as unchanged.
     * @returns False if the record has to be read.
     */
    reuse: (request: ProductRequest, isFullRead: boolean): boolean => {
      const { held, listedModified, known } = request;
      const isListed = listedModified !== undefined;
      if (held && isListed && held.listedModified === listedModified) takeOver(request, held, true);
      else if (held && !isListed && !held.etag && !held.lastModified) takeOver(request, held, false);
      else if (!isFullRead && isListed && known?.state === 'present' && known.listedModified === listedModified)
        stageStored(request, 'not-modified');
      else return false;
      return true;
    },
    /** Stages a record from the export. */
    stageRecord: (request: ProductRequest, wire: unknown): void => stage(request, evaluateRecord(run, request, wire)),
    /** @param answer Undefined if the record was not requested. */
    stageResponse: (request: ProductRequest, answer: UpstreamResult<unknown> | undefined): void => {
      if (!answer) tally.unasked += 1;
      else if (!isConclusive(answer)) reportUnread(run, request, answer);
      const isUnchanged = answer?.kind === 'not-modified';
      if (answer?.kind === 'ok') stage(request, evaluateRecord(run, request, answer.value, answer.validators));
      else if (answer?.kind === 'gone') stage(request, evaluateAbsence(run, request));
      else if (request.held) takeOver(request, request.held, isUnchanged);
      else stageStored(request, isUnchanged ? 'not-modified' : 'kept');
    },
  };
}

function reportUnread(
  { issues }: SyncRun,
  { gtin: id, language, known }: ProductRequest,
  answer: UpstreamFailure,
): void {
  const problem = `could not be read: ${answer.detail}`;
  const shown = answer.sample || undefined;
  const hasLastGood = known?.state === 'present';
  const advice = recordFailureAdvice(answer);
  issues.unreachable({ kind: 'product', id, language, field: '', problem, advice, shown, hasLastGood });
}

const CORRECT_RECORD = 'Have the record corrected at the product interface.';

function evaluateRecord(run: SyncRun, request: ProductRequest, wire: unknown, validators: Validators = {}): Outcome {
  const { issues, settings, productBase, isMediaHost } = run;
  const { invalidFields } = settings.options.sync;
  const { gtin, language, address, known } = request;
  const subject = { kind: 'product', id: gtin, language } as const;
  const checked = checkProduct(wire, {
    gtin,
    address,
    isStrict: invalidFields === 'strict',
    ...(invalidFields === 'keep' && { lastGood: () => findLastGood(run, request) }),
    htmlBase: productBase,
    isMediaHost,
    documentFields: run.documents.fields,
    documents: (record, warn) => run.documents.list({ gtin, language, base: address }, record, warn),
    fields: settings.options.product.fields,
  });
  if (!checked.ok) {
    const hasLastGood = known?.state === 'present';
    for (const warning of checked.warnings) issues.warning({ ...subject, ...warning, wire: valueOf(wire, warning) });
    for (const problem of checked.problems) {
      issues.problem({ ...subject, advice: CORRECT_RECORD, ...problem, wire: valueOf(wire, problem), hasLastGood });
    }
    return { outcome: 'kept' };
  }
  const warnings = checked.warnings.map(({ lastGood, ...warning }): StoredWarning => {
    const shown = formatValue(valueOf(wire, warning));
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
  { gtin, language, known, isAnother }: ProductRequest,
): LastGoodRecord | undefined {
  const stored = isAnother || known?.state !== 'present' ? undefined : snapshot.product(gtin, language);
  if (!stored || !known) return undefined;
  const { warnings = [], checkedAt } = known;
  const dateOf = (field: string) =>
    warnings
      .flatMap(({ field: name, lastGoodAt }) => (name.split('[', 1)[0] === field ? (lastGoodAt ?? []) : []))
      .toSorted()[0] ?? checkedAt;
  return { record: stored.record, dateOf };
}

const HOUR_MS = 3_600_000;

/** Evaluates a 404 from the interface itself. A present record counts as gone only after several runs and some time. */
function evaluateAbsence(run: SyncRun, { gtin, language, known }: ProductRequest): Outcome {
  if (known?.state !== 'present') {
    const problem = 'is not known to the interface in that language';
    const advice = 'Correct the GTIN in the assortment, or have the product added in that language.';
    run.issues.warning({ kind: 'product', id: gtin, language, field: '', problem, advice });
    return { outcome: 'gone' };
  }
  const { runs: runsNeeded, hours } = run.settings.options.sync.confirmRemovals;
  const since = known.missingSince ?? run.startedAt.toISOString();
  const runs = known.missingRuns + 1;
  const dueAt = Date.parse(since) + hours * HOUR_MS;
  if (runs >= runsNeeded && run.startedAt.getTime() >= dueAt) return { outcome: 'gone' };
  const runsLeft = Math.max(1, runsNeeded - runs);
  const notBefore = new Date(dueAt).toISOString();
  run.tally.awaitedRemovals.push({ gtin, language, since, runs, runsLeft, notBefore });
  return { outcome: 'missing' };
}

/** Returns the value that a problem refers to. */
function valueOf(record: unknown, { field }: Problem): unknown {
  return field
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce(memberOf, record);
}

const HTML_FIELDS = (Object.keys(productSchema.shape) as ProductField[]).filter(
  (field) => productSchema.shape[field].meta()?.['contentMediaType'] === 'text/html',
);

interface CheckProductOptions {
  gtin: string;
  /** Address of the record, for resolving its relative links. */
  address?: string;
  /** True to reject a record with an invalid optional field. */
  isStrict?: boolean;
  /** Returns the stored record, whose values replace invalid ones. Without it, these are omitted. */
  lastGood?: () => LastGoodRecord | undefined;
  /** Address of the interface, for resolving relative links in texts. */
  htmlBase?: string | undefined;
  /** True if files may be fetched from an address. */
  isMediaHost?: (url: URL) => boolean;
  /** Fields from which documents are read. */
  documentFields?: readonly string[];
  /** Lists the documents of configured kinds. */
  documents?: (record: object, warn: (warning: StoredWarning) => void) => RecordDocument[];
  /** Further fields that the options declare. */
  fields?: ProductFields;
}

/** Reports invalid values of declared fields. The site leaves them out. */
function checkFields(fields: ProductFields, { extra = {} }: ProductRecord): ProductWarning[] {
  return Object.entries(fields).flatMap(([name, options]) => {
    const { source = name } = options;
    return parseFieldValue(options, extra[source]).problems.map((problem) => ({
      field: source,
      problem: `${problem}, so the value is left out`,
      advice: `Have it corrected at the product interface, or correct \`product.fields.${name}\`.`,
    }));
  });
}

/**
 * Validates a record of the product interface and converts it to the stored form. IDs in its texts are prefixed with
 * the field name, because all texts share a page.
 */
export function checkProduct(wire: unknown, asked: CheckProductOptions) {
  const { gtin, address: base, isStrict = false, lastGood, fields = {} } = asked;
  const extraFields = sourceNames(fields);
  const known = { gtin, fields: [...extraFields, ...(asked.documentFields ?? [])] };
  const parsed = isStrict
    ? parseProduct(wire, known)
    : parseProductLeniently(wire, { ...known, base, ...(lastGood && { lastGood }) });
  if (!parsed.ok) return parsed;
  const { product, warnings } = parsed;
  const mediaWarnings: StoredWarning[] = [];
  const documents = asked.documents?.(parsed.record, (warning) => void mediaWarnings.push(warning)) ?? [];
  const record: ProductRecord = documents.length > 0 ? { ...parsed.record, documents } : parsed.record;
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
  const isMediaHost = (address: string) => URL.canParse(address) && asked.isMediaHost?.(new URL(address)) === true;
  const allWarnings: (ProductWarning & StoredWarning)[] = [
    ...warnings,
    ...checkFields(fields, record),
    ...mediaWarnings,
  ];
  return {
    ok: true as const,
    record: withTexts(record),
    recordLanguage: product.language,
    digest: digestProduct(withTexts(product), record, extraFields),
    references: [...listProductAssets(record), ...texts.flatMap(({ text }) => findAssets(text, isMediaHost))],
    warnings: allWarnings,
  };
}
