import { and, inArray, ne } from 'drizzle-orm';
import {
  MAX_BULK_ITEMS,
  MAX_DESCRIPTION_LENGTH,
  MAX_KEYPHRASE_LENGTH,
  MAX_TITLE_LENGTH,
  updateBulkScores,
  updateBulkSearch,
  updateBulkSocial,
  type BulkResult,
  type SeoSettings,
} from '#contracts/seo/index.ts';
import { mayEdit } from '#origin/platform/content/content-rights.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import {
  item,
  type AnyCall,
  type CheckedBefore,
  type ParameterCheck,
  type RouteRegistry,
} from '#origin/platform/http/transport/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { describeFault } from '#origin/platform/store/describe-fault.ts';
import { content } from '#origin/platform/store/schema.ts';
import { headTexts } from '../head/compose-head.ts';
import { loadHeadScope, loadPages } from '../head/load-pages.ts';
import { forManagers } from '../permit.ts';
import { changeSeoSettings } from '../records/object-settings.ts';
import { isBulkKind } from './list-posts.ts';

/** Serves changes of many heads at once: each row is written by itself, and tells whether it was. */
export function serveBulkUpdates(registry: RouteRegistry): void {
  const keyphrase = { focus_keyphrase: MAX_KEYPHRASE_LENGTH };
  const searchLimits = { seo_title: MAX_TITLE_LENGTH, meta_description: MAX_DESCRIPTION_LENGTH, ...keyphrase };
  const socialLimits = { social_title: MAX_TITLE_LENGTH, social_description: MAX_DESCRIPTION_LENGTH, ...keyphrase };
  registry.serve(
    updateBulkSearch,
    async (call) => {
      const written = await writeItems(call, call.body.items, ({ seo_title, meta_description, focus_keyphrase }) => ({
        title: cleaned(seo_title),
        description: cleaned(meta_description),
        focus_keyphrase: cleaned(focus_keyphrase),
      }));
      return item({ results: await withRendered(call, written) });
    },
    { ...forManagers, checks: { items: checkItems(textChecks(searchLimits)) } },
  );
  registry.serve(
    updateBulkSocial,
    async (call) => {
      const written = await writeItems(
        call,
        call.body.items,
        ({ social_title, social_description, focus_keyphrase }) => ({
          og_title: cleaned(social_title),
          og_description: cleaned(social_description),
          focus_keyphrase: cleaned(focus_keyphrase),
        }),
      );
      return item({ results: written });
    },
    { ...forManagers, checks: { items: checkItems(textChecks(socialLimits)) } },
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
    { ...forManagers, checks: { items: checkItems(SCORE_CHECKS) } },
  );
}

/** As one line without markup; what was not sent stays so. */
function cleaned(text: string | undefined): string | undefined {
  return text === undefined ? undefined : plainText(text);
}

type Values = { [K in keyof SeoSettings]?: SeoSettings[K] | undefined };

/** Writes the rows one after the other: what is wrong with one is said of it, and keeps no other back. */
async function writeItems<T extends { id: number; focus_keyphrase?: string | undefined }>(
  call: AnyCall,
  items: readonly T[],
  toSettings: (item: T) => Values,
): Promise<BulkResult[]> {
  const rows = await loadRows(call, items);
  const results: BulkResult[] = [];
  for (const sent of items) results.push(await writeOne(call, sent.id, rows.get(sent.id), toSettings(sent)));
  return results;
}

async function writeOne(
  { context, caller }: AnyCall,
  id: number,
  row: ContentRow | undefined,
  values: Values,
): Promise<BulkResult> {
  if (!row) return { id, success: false, error: 'not_found' };
  if (!isBulkKind(context.kinds.get(row.type))) return { id, success: false, error: 'invalid_post_type' };
  if (!mayEdit(row, caller)) return { id, success: false, error: 'forbidden' };
  try {
    const object = { type: row.type, id };
    const settings = await writeContent(context.store.db, (tx) => changeSeoSettings(tx, context, object, values));
    if (!settings) return { id, success: false, error: 'not_found' };
    const { focus_keyphrase } = values;
    return { id, success: true, ...(focus_keyphrase === undefined ? {} : { sanitized: { focus_keyphrase } }) };
  } catch (error) {
    context.log(`The head of ${row.type} ${id} could not be saved: ${describeFault(error)}`);
    return { id, success: false, error: 'save_failed' };
  }
}

/** Adds what the pages of the rows show now. */
async function withRendered(call: AnyCall, results: readonly BulkResult[]): Promise<BulkResult[]> {
  const rows = await loadRows(
    call,
    results.filter(({ success }) => success),
  );
  const scope = await loadHeadScope(call);
  const found = [...rows.values()].map((row) => ({ kind: 'content' as const, row }));
  const pages = new Map((await loadPages(found, scope)).map((page) => [page.id, headTexts(page, scope.head)]));
  return results.map(({ sanitized, ...result }) => {
    const texts = result.success ? pages.get(result.id) : undefined;
    return {
      ...result,
      ...(texts ? { rendered: { seo_title: texts.title, meta_description: texts.description } } : {}),
      ...(sanitized ? { sanitized } : {}),
    };
  });
}

/** Rows of content by id; states of them are none. */
async function loadRows({ context }: AnyCall, items: readonly { id: number }[]): Promise<Map<number, ContentRow>> {
  const ids = [...new Set(items.map(({ id }) => id))];
  if (ids.length === 0) return new Map();
  const rows = await context.store.db
    .select()
    .from(content)
    .where(and(inArray(content.id, ids), ne(content.type, 'revision')));
  return new Map(rows.map((row) => [row.id, row]));
}

/** What is wrong with a field of a row, in words. */
type FieldCheck = (value: unknown) => string | undefined;

interface ItemChecks {
  fields: Readonly<Record<string, FieldCheck>>;
  /** Codes for a row without any field, and with a wrong one. */
  noneCode: 'rest_no_fields_to_update' | 'rest_no_scores_to_update';
  wrongCode: 'rest_invalid_item_field' | 'rest_invalid_item_score';
}

function checkText(most: number): FieldCheck {
  return (value) => {
    if (typeof value !== 'string') return 'must be a text';
    return value.length > most ? `must be at most ${most} characters long` : undefined;
  };
}

function textChecks(limits: Readonly<Record<string, number>>): ItemChecks {
  const fields = Object.fromEntries(Object.entries(limits).map(([name, most]) => [name, checkText(most)]));
  return { fields, noneCode: 'rest_no_fields_to_update', wrongCode: 'rest_invalid_item_field' };
}

const checkScore: FieldCheck = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100
    ? undefined
    : 'must be a whole number from 0 to 100';
const SCORE_CHECKS: ItemChecks = {
  fields: { seo_title_score: checkScore, meta_description_score: checkScore },
  noneCode: 'rest_no_scores_to_update',
  wrongCode: 'rest_invalid_item_score',
};

/** All or nothing: one row that is no row, and none is written. */
function checkItems(checks: ItemChecks): ParameterCheck {
  return (sent) => {
    if (!Array.isArray(sent)) return { code: 'rest_invalid_items', text: 'items must be a list.' };
    if (sent.length === 0) return { code: 'rest_no_items', text: 'items holds no row.' };
    if (sent.length > MAX_BULK_ITEMS)
      return { code: 'rest_too_many_items', text: `items must hold at most ${MAX_BULK_ITEMS} rows.` };
    for (const [i, one] of sent.entries()) {
      const problem = checkItem(one, `items[${i}]`, checks);
      if (problem) return problem;
    }
    return undefined;
  };
}

function checkItem(
  one: unknown,
  where: string,
  { fields, noneCode, wrongCode }: ItemChecks,
): CheckedBefore | undefined {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    return { code: 'rest_invalid_item', text: `${where} must be an object.` };
  const values = new Map<string, unknown>(Object.entries(one));
  if (!Number.isSafeInteger(values.get('id')))
    return { code: 'rest_invalid_item_id', text: `${where}.id must be a whole number.` };
  const names = Object.keys(fields).filter((name) => values.has(name));
  if (names.length === 0)
    return { code: noneCode, text: `${where} changes nothing: send one of ${Object.keys(fields).join(', ')}.` };
  for (const name of names) {
    const problem = fields[name]?.(values.get(name));
    if (problem !== undefined) return { code: wrongCode, text: `${where}.${name} ${problem}.` };
  }
  return undefined;
}
