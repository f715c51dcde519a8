import { and, desc, eq, inArray, ne, or, sql, type SQL } from 'drizzle-orm';
import { decodeHtml } from '#contracts/html/html-text.ts';
import * as routes from '#contracts/seo/bulk-editor.ts';
import { SCORE_BOUNDS } from '#contracts/seo/scores.ts';
import { NO_SEO_SETTINGS, parseSettingsMeta, type SeoSetting, type SeoSettings } from '#contracts/seo/settings.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_KEYPHRASE_LENGTH, MAX_TITLE_LENGTH } from '#contracts/seo/head-values.ts';
import { DEFAULT_TEMPLATES } from '#contracts/seo/templates.ts';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import { isAllowed } from '#origin/platform/http/callers/caller.ts';
import {
  item,
  type AnyCall,
  type Call,
  type ParameterCheck,
  type ParameterCheckResult,
} from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { matchesTerm } from '#origin/platform/search/search-condition.ts';
import { editLink } from '#origin/platform/site/editor-links.ts';
import { loadSite, replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import { describeError } from '#origin/platform/store/log-error.ts';
import { content } from '#origin/platform/store/schema.ts';
import { headTexts } from './head/compose-head.ts';
import { hasHeads, typesWithHeads } from './head/find-page.ts';
import { loadHeadContext, loadHeadPages } from './head/load-pages.ts';
import { loadSeoOptions, type SeoOptions } from './options.ts';
import { managerRules, storedScore, storedSetting, writeSeoSettings } from './settings.ts';
import { findRows, readWindow } from '#origin/platform/content/resources/find-rows.ts';

/** Serves the rows of the bulk editor, the content of posts, and updates of many heads at once. */
export function serveBulkEditor(registry: RouteRegistry): void {
  const serve = registry.with(managerRules);
  serve(routes.listBulkPosts, async (call) => {
    const { context, query, refuse } = call;
    const { content_type: type, page, per_page } = query;
    if (!hasHeads(context.kinds.get(type)))
      throw refuse('rest_invalid_content_type', `"${type}" has no editable heads. Send a content type with pages.`);
    const templates = templatesOf(type, await loadSeoOptions(call));
    const { rows, total } = await findRows(context.store.db, content, {
      where: listCondition(call, templates),
      orderBy: [desc(content.id)],
      window: readWindow(query),
    });
    const posts = rows.map((row) => presentRow(row, call, templates));
    return item({ posts, total, total_pages: Math.ceil(total / per_page), page, per_page });
  });
  serve(routes.listBulkContent, async (call) => {
    const { context, caller, addresses } = call;
    const ids = [...new Set(call.query.ids)];
    const isListed = and(
      inArray(content.id, ids),
      inArray(content.type, typesWithHeads(context)),
      inArray(content.status, [...routes.BULK_STATUSES]),
      eq(content.password, ''),
    );
    const rows = await context.store.db.select().from(content).where(isListed);
    const editable = new Map(rows.filter((row) => canEdit(row, caller)).map((row) => [row.id, row.content]));
    const { url } = await loadSite(call);
    const posts = ids.flatMap((id) => {
      const text = editable.get(id);
      return text === undefined ? [] : [{ id, content: replaceSiteUrl(text, url, addresses.site) }];
    });
    return item({ posts });
  });
  registry.serve(
    routes.updateBulkSearch,
    async (call) => item({ results: await withRendered(call, await writeItems(call, call.body.items)) }),
    { ...managerRules, checks: { items: checkItems(['seo_title', 'meta_description', 'focus_keyphrase']) } },
  );
  registry.serve(routes.updateBulkSocial, async (call) => item({ results: await writeItems(call, call.body.items) }), {
    ...managerRules,
    checks: { items: checkItems(['social_title', 'social_description', 'focus_keyphrase']) },
  });
  registry.serve(routes.updateBulkScores, async (call) => item({ results: await writeItems(call, call.body.items) }), {
    ...managerRules,
    checks: { items: checkItems(['seo_title_score', 'meta_description_score']) },
  });
}

const UNTITLED = 'Untitled';

/** Settings by field of the bulk editor. */
const SETTINGS = {
  seo_title: 'title',
  meta_description: 'description',
  social_title: 'og_title',
  social_description: 'og_description',
} as const satisfies Record<routes.BulkField, SeoSetting>;
const ALL_SETTINGS = {
  ...SETTINGS,
  focus_keyphrase: 'focus_keyphrase',
  seo_title_score: 'title_score',
  meta_description_score: 'description_score',
} as const satisfies Record<string, SeoSetting>;
type WrittenField = keyof typeof ALL_SETTINGS;

const SCORES: Partial<Record<routes.BulkField, SeoSetting>> = {
  seo_title: 'title_score',
  meta_description: 'description_score',
};
const MAX_POOR_SCORE = SCORE_BOUNDS.ok[1];

type Templates = Readonly<Record<routes.BulkField, string>>;

/** Returns the templates that replace empty values, with variables not filled in. */
function templatesOf(type: string, { templates }: SeoOptions): Templates {
  const siteTemplates = templates[type];
  const { title, description, social_description } = DEFAULT_TEMPLATES.content;
  return {
    seo_title: siteTemplates?.title || title,
    meta_description: siteTemplates?.description || description,
    // Excludes the site name, as on other servers with this API.
    social_title: siteTemplates?.social_title || '%%title%%',
    social_description: siteTemplates?.social_description || social_description,
  };
}

function listCondition({ query, caller }: Call<typeof routes.listBulkPosts>, templates: Templates): SQL | undefined {
  const { content_type: type, include, needs_improvement: poorFields } = query;
  const search = query.search.trim();
  const statuses = query.status.length === 0 ? routes.BULK_STATUSES : query.status;
  const authorId = isAllowed(caller, type, 'editOthers') ? undefined : (caller.user?.id ?? 0);
  const searched = ['focus_keyphrase', ...Object.values(SETTINGS)] as const;
  return and(
    eq(content.type, type),
    inArray(content.status, [...statuses]),
    eq(content.password, ''),
    authorId === undefined ? undefined : eq(content.authorId, authorId),
    include.length === 0 ? undefined : inArray(content.id, include),
    search === ''
      ? undefined
      : or(
          matchesTerm(content.title, search),
          ...searched.map((setting) => matchesTerm(storedSetting(setting), search)),
        ),
    poorFields.length === 0 ? undefined : or(...poorFields.map((field) => needsImprovement(field, templates))),
  );
}

/** Selects rows with a poor score, or an empty value without a template. */
function needsImprovement(field: routes.BulkField, templates: Templates): SQL {
  const isEmpty = templates[field] === '' ? sql`${storedSetting(SETTINGS[field])} = ''` : sql`false`;
  const score = SCORES[field];
  return score ? sql`(${isEmpty} or ${storedScore(score)} between 1 and ${sql.raw(String(MAX_POOR_SCORE))})` : isEmpty;
}

/** Presents a row. Rows that the caller can't edit have no values. */
function presentRow(row: ContentRow, { addresses, caller }: AnyCall, templates: Templates): routes.BulkRow {
  const editable = canEdit(row, caller);
  const settings = editable ? parseSettingsMeta(row.meta) : NO_SEO_SETTINGS;
  const byField = <T>(valueOf: (field: routes.BulkField, value: string) => T) =>
    Object.fromEntries(routes.BULK_FIELDS.map((field) => [field, valueOf(field, settings[SETTINGS[field]])])) as Record<
      routes.BulkField,
      T
    >;
  const fallbacks = byField((field, value) => (editable && value === '' ? templates[field] : ''));
  return {
    id: row.id,
    title: decodeHtml(row.title).trim() || UNTITLED,
    status: row.status,
    edit_link: editable ? editLink(addresses, row) : '',
    focus_keyphrase: settings.focus_keyphrase,
    ...byField((_, value) => value),
    seo_title_fallback: fallbacks.seo_title,
    meta_description_fallback: fallbacks.meta_description,
    social_title_fallback: fallbacks.social_title,
    social_description_fallback: fallbacks.social_description,
    editable,
    needs_improvement: byField((field, value) => {
      const score = SCORES[field] ? Number(settings[SCORES[field]]) : 0;
      return editable && ((value === '' && templates[field] === '') || (score > 0 && score <= MAX_POOR_SCORE));
    }),
  };
}

type BulkItem = { id: number } & { [K in WrittenField]?: string | number | undefined };
type Values = { [K in keyof SeoSettings]?: SeoSettings[K] | undefined };

/** Returns the settings of an item. Texts become one line without markup. */
function toSettings(input: BulkItem): Values {
  const fields = Object.entries(ALL_SETTINGS) as [WrittenField, SeoSetting][];
  return Object.fromEntries(
    fields.map(([field, setting]) => {
      const value = input[field];
      return [setting, typeof value === 'string' ? plainText(value) : value];
    }),
  );
}

/** Writes the rows one after the other. A failure is reported for its row and doesn't affect others. */
async function writeItems(call: AnyCall, items: readonly BulkItem[]): Promise<routes.BulkResult[]> {
  const rows = await loadRows(call, items);
  const results: routes.BulkResult[] = [];
  for (const input of items) results.push(await writeOne(call, input, rows.get(input.id)));
  return results;
}

async function writeOne(call: AnyCall, input: BulkItem, row: ContentRow | undefined): Promise<routes.BulkResult> {
  const { context, caller } = call;
  const { id } = input;
  if (!row) return { id, success: false, error: 'not_found' };
  if (!hasHeads(context.kinds.get(row.type))) return { id, success: false, error: 'invalid_post_type' };
  if (!canEdit(row, caller)) return { id, success: false, error: 'forbidden' };
  const values = toSettings(input);
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
async function withRendered(call: AnyCall, results: readonly routes.BulkResult[]): Promise<routes.BulkResult[]> {
  const saved = results.filter(({ success }) => success);
  const rows = await loadRows(call, saved);
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

const LIMITS: Partial<Record<WrittenField, number>> = {
  seo_title: MAX_TITLE_LENGTH,
  meta_description: MAX_DESCRIPTION_LENGTH,
  social_title: MAX_TITLE_LENGTH,
  social_description: MAX_DESCRIPTION_LENGTH,
  focus_keyphrase: MAX_KEYPHRASE_LENGTH,
};

/** Returns a problem with a field of a row, or undefined. Fields without a maximum length are scores. */
function checkField(name: WrittenField, value: unknown): string | undefined {
  const maxLength = LIMITS[name];
  if (maxLength === undefined) {
    const isScore = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100;
    return isScore ? undefined : 'must be a whole number from 0 to 100';
  }
  if (typeof value !== 'string') return 'must be a string';
  return value.length > maxLength ? `must be at most ${maxLength} characters long` : undefined;
}

/** Rejects the whole request if one row is invalid. */
function checkItems(fields: readonly WrittenField[]): ParameterCheck {
  return (value) => {
    if (!Array.isArray(value)) return { code: 'rest_invalid_items', text: 'items must be an array.' };
    if (value.length === 0) return { code: 'rest_no_items', text: 'items must not be empty.' };
    if (value.length > routes.MAX_BULK_ITEMS)
      return { code: 'rest_too_many_items', text: `items must contain at most ${routes.MAX_BULK_ITEMS} rows.` };
    for (const [i, one] of value.entries()) {
      const problem = checkItem(one, `items[${i}]`, fields);
      if (problem) return problem;
    }
    return undefined;
  };
}

function checkItem(one: unknown, path: string, fields: readonly WrittenField[]): ParameterCheckResult | undefined {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    return { code: 'rest_invalid_item', text: `${path} must be an object.` };
  const values = new Map<string, unknown>(Object.entries(one));
  if (!Number.isSafeInteger(values.get('id')))
    return { code: 'rest_invalid_item_id', text: `${path}.id must be a whole number.` };
  const names = fields.filter((name) => values.has(name));
  const [noun, plural] = fields.every((name) => LIMITS[name] === undefined) ? ['score', 'scores'] : ['field', 'fields'];
  if (names.length === 0)
    return {
      code: `rest_no_${plural}_to_update`,
      text: `${path} has no field to update. Send one of ${fields.join(', ')}.`,
    };
  for (const name of names) {
    const problem = checkField(name, values.get(name));
    if (problem !== undefined) return { code: `rest_invalid_item_${noun}`, text: `${path}.${name} ${problem}.` };
  }
  return undefined;
}
