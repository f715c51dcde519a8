import { and, inArray, ne } from 'drizzle-orm';
import {
  MAX_BULK_ITEMS,
  updateBulkScores,
  updateBulkSearch,
  updateBulkSocial,
  type BulkResult,
} from '#contracts/seo/bulk-editor.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_KEYPHRASE_LENGTH, MAX_TITLE_LENGTH } from '#contracts/seo/head-values.ts';
import type { SeoSettings } from '#contracts/seo/settings.ts';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import {
  item,
  type AnyCall,
  type ParameterCheckResult,
  type ParameterCheck,
} from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { describeError } from '#origin/platform/store/log-error.ts';
import { content } from '#origin/platform/store/schema.ts';
import { headTexts } from '../head/compose-head.ts';
import { hasHeads } from '../head/find-page.ts';
import { loadHeadContext, loadHeadPages } from '../head/load-pages.ts';
import { managerRules } from '../authorize.ts';
import { writeSeoSettings } from '../object-settings.ts';

/** Serves updates of many heads at once. Each row is written separately and has its result. */
export function serveBulkUpdates(registry: RouteRegistry): void {
  const keyphrase = { focus_keyphrase: MAX_KEYPHRASE_LENGTH };
  const searchLimits = { seo_title: MAX_TITLE_LENGTH, meta_description: MAX_DESCRIPTION_LENGTH, ...keyphrase };
  const socialLimits = { social_title: MAX_TITLE_LENGTH, social_description: MAX_DESCRIPTION_LENGTH, ...keyphrase };
  registry.serve(
    updateBulkSearch,
    async (call) => {
      const written = await writeItems(call, call.body.items, ({ seo_title, meta_description, focus_keyphrase }) => ({
        title: toPlainText(seo_title),
        description: toPlainText(meta_description),
        focus_keyphrase: toPlainText(focus_keyphrase),
      }));
      return item({ results: await withRendered(call, written) });
    },
    { ...managerRules, checks: { items: checkItems(textChecks(searchLimits)) } },
  );
  registry.serve(
    updateBulkSocial,
    async (call) => {
      const written = await writeItems(
        call,
        call.body.items,
        ({ social_title, social_description, focus_keyphrase }) => ({
          og_title: toPlainText(social_title),
          og_description: toPlainText(social_description),
          focus_keyphrase: toPlainText(focus_keyphrase),
        }),
      );
      return item({ results: written });
    },
    { ...managerRules, checks: { items: checkItems(textChecks(socialLimits)) } },
  );
  registry.serve(
    updateBulkScores,
    async (call) => {
      const written = await writeItems(call, call.body.items, ({ seo_title_score, meta_description_score }) => ({
        title_score: seo_title_score,
        description_score: meta_description_score,
      }));
      return item({ results: written });
    },
    { ...managerRules, checks: { items: checkItems(SCORE_CHECKS) } },
  );
}

/** Converts a text to one line without markup. Undefined stays undefined. */
function toPlainText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : plainText(text);
}

type Values = { [K in keyof SeoSettings]?: SeoSettings[K] | undefined };

/** Writes the rows one after the other. A failure is reported for its row and doesn't affect others. */
async function writeItems<T extends { id: number; focus_keyphrase?: string | undefined }>(
  call: AnyCall,
  items: readonly T[],
  toSettings: (item: T) => Values,
): Promise<BulkResult[]> {
  const rows = await loadRows(call, items);
  const results: BulkResult[] = [];
  for (const input of items) results.push(await writeOne(call, input.id, rows.get(input.id), toSettings(input)));
  return results;
}

async function writeOne(
  { context, caller }: AnyCall,
  id: number,
  row: ContentRow | undefined,
  values: Values,
): Promise<BulkResult> {
  if (!row) return { id, success: false, error: 'not_found' };
  if (!hasHeads(context.kinds.get(row.type))) return { id, success: false, error: 'invalid_post_type' };
  if (!canEdit(row, caller)) return { id, success: false, error: 'forbidden' };
  try {
    const object = { type: row.type, id };
    const settings = await writeContent(context.store.db, (tx) => writeSeoSettings(tx, context, object, values));
    if (!settings) return { id, success: false, error: 'not_found' };
    const { focus_keyphrase } = values;
    return { id, success: true, ...(focus_keyphrase === undefined ? {} : { sanitized: { focus_keyphrase } }) };
  } catch (error) {
    context.log(`SEO settings of ${row.type} ${id} could not be saved: ${describeError(error)}`);
    return { id, success: false, error: 'save_failed' };
  }
}

/** Adds the current title and description of each page. */
async function withRendered(call: AnyCall, results: readonly BulkResult[]): Promise<BulkResult[]> {
  const rows = await loadRows(
    call,
    results.filter(({ success }) => success),
  );
  const scope = await loadHeadContext(call);
  const found = [...rows.values()].map((row) => ({ kind: 'content' as const, row }));
  const pages = new Map((await loadHeadPages(found, scope)).map((page) => [page.id, headTexts(page, scope.head)]));
  return results.map(({ sanitized, ...result }) => {
    const texts = result.success ? pages.get(result.id) : undefined;
    return {
      ...result,
      ...(texts ? { rendered: { seo_title: texts.title, meta_description: texts.description } } : {}),
      ...(sanitized ? { sanitized } : {}),
    };
  });
}

/** Loads rows of content by ID, without revisions. */
async function loadRows({ context }: AnyCall, items: readonly { id: number }[]): Promise<Map<number, ContentRow>> {
  const ids = [...new Set(items.map(({ id }) => id))];
  if (ids.length === 0) return new Map();
  const rows = await context.store.db
    .select()
    .from(content)
    .where(and(inArray(content.id, ids), ne(content.type, 'revision')));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns a problem with a field of a row, or undefined. */
type FieldCheck = (value: unknown) => string | undefined;

interface ItemChecks {
  fields: Readonly<Record<string, FieldCheck>>;
  /** Error code for a row without any field. */
  emptyCode: 'rest_no_fields_to_update' | 'rest_no_scores_to_update';
  /** Error code for an invalid field. */
  invalidCode: 'rest_invalid_item_field' | 'rest_invalid_item_score';
}

function checkText(maxLength: number): FieldCheck {
  return (value) => {
    if (typeof value !== 'string') return 'must be a string';
    return value.length > maxLength ? `must be at most ${maxLength} characters long` : undefined;
  };
}

function textChecks(limits: Readonly<Record<string, number>>): ItemChecks {
  const fields = Object.fromEntries(Object.entries(limits).map(([name, maxLength]) => [name, checkText(maxLength)]));
  return { fields, emptyCode: 'rest_no_fields_to_update', invalidCode: 'rest_invalid_item_field' };
}

const checkScore: FieldCheck = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100
    ? undefined
    : 'must be a whole number from 0 to 100';
const SCORE_CHECKS: ItemChecks = {
  fields: { seo_title_score: checkScore, meta_description_score: checkScore },
  emptyCode: 'rest_no_scores_to_update',
  invalidCode: 'rest_invalid_item_score',
};

/** Rejects the whole request if one row is invalid. */
function checkItems(checks: ItemChecks): ParameterCheck {
  return (value) => {
    if (!Array.isArray(value)) return { code: 'rest_invalid_items', text: 'items must be an array.' };
    if (value.length === 0) return { code: 'rest_no_items', text: 'items must not be empty.' };
    if (value.length > MAX_BULK_ITEMS)
      return { code: 'rest_too_many_items', text: `items must contain at most ${MAX_BULK_ITEMS} rows.` };
    for (const [i, one] of value.entries()) {
      const problem = checkItem(one, `items[${i}]`, checks);
      if (problem) return problem;
    }
    return undefined;
  };
}

function checkItem(
  one: unknown,
  path: string,
  { fields, emptyCode, invalidCode }: ItemChecks,
): ParameterCheckResult | undefined {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    return { code: 'rest_invalid_item', text: `${path} must be an object.` };
  const values = new Map<string, unknown>(Object.entries(one));
  if (!Number.isSafeInteger(values.get('id')))
    return { code: 'rest_invalid_item_id', text: `${path}.id must be a whole number.` };
  const names = Object.keys(fields).filter((name) => values.has(name));
  if (names.length === 0)
    return { code: emptyCode, text: `${path} has no field to update. Send one of ${Object.keys(fields).join(', ')}.` };
  for (const name of names) {
    const problem = fields[name]?.(values.get(name));
    if (problem !== undefined) return { code: invalidCode, text: `${path}.${name} ${problem}.` };
  }
  return undefined;
}
