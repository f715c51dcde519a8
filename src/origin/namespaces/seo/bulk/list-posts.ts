import { and, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import { decodeHtml } from '#contracts/html/html-text.ts';
import {
  BULK_STATUSES,
  listBulkContent,
  listBulkPosts,
  type BulkField,
  type BulkRow,
} from '#contracts/seo/bulk-editor.ts';
import { DEFAULT_TEMPLATES } from '#contracts/seo/templates.ts';
import { SCORE_BOUNDS } from '#contracts/seo/scores.ts';
import { parseSettingsMeta, type SeoSetting } from '#contracts/seo/settings.ts';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import { isAllowed } from '#origin/platform/http/callers/caller.ts';
import { item, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { matchesTerm } from '#origin/platform/search/search-condition.ts';
import { loadSite, replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import { editLink } from '#origin/platform/site/editor-links.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadSeoOptions, type SeoOptions } from '../options.ts';
import { managerRules } from '../authorize.ts';
import { hasHeads, typesWithHeads } from '../head/find-page.ts';
import { storedScore, storedSetting } from '../object-settings.ts';

const UNTITLED = 'Untitled';

/** Serves the rows of the bulk editor and the content of posts. */
export function serveBulkLists(registry: RouteRegistry): void {
  registry.serve(listBulkPosts, listPosts, managerRules);
  registry.serve(listBulkContent, listContent, managerRules);
}

async function listPosts(call: Call<typeof listBulkPosts>): Promise<ResultOf<typeof listBulkPosts>> {
  const { context, query, refuse } = call;
  const { content_type: type, page, per_page } = query;
  if (!hasHeads(context.kinds.get(type)))
    throw refuse('rest_invalid_content_type', `"${type}" has no editable heads. Send a content type with pages.`);
  const templates = templatesOf(type, await loadSeoOptions(call));
  const { db } = context.store;
  const where = listCondition(call, templates);
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(content)
      .where(where)
      .orderBy(desc(content.id))
      .limit(per_page)
      .offset((page - 1) * per_page),
    db.$count(content, where),
  ]);
  const posts = rows.map((row) =>
    canEdit(row, call.caller) ? presentRow(row, call, templates) : presentLockedRow(row),
  );
  return item({ posts, total, total_pages: Math.ceil(total / per_page), page, per_page });
}

type Templates = Readonly<Record<BulkField, string>>;

/** Returns the templates that replace empty values, with variables not filled in. */
function templatesOf(type: string, { templates }: SeoOptions): Templates {
  const siteTemplates = templates[type];
  return {
    seo_title: siteTemplates?.title || DEFAULT_TEMPLATES.content.title,
    meta_description: siteTemplates?.description || DEFAULT_TEMPLATES.content.description,
    // Excludes the site name, as on other servers with this API.
    social_title: siteTemplates?.social_title || '%%title%%',
    social_description: siteTemplates?.social_description || DEFAULT_TEMPLATES.content.social_description,
  };
}

const SETTINGS = {
  seo_title: 'title',
  meta_description: 'description',
  social_title: 'og_title',
  social_description: 'og_description',
} as const satisfies Record<BulkField, SeoSetting>;

const SEARCHED_SETTINGS = ['focus_keyphrase', ...Object.values(SETTINGS)] as const;
const MAX_POOR_SCORE = SCORE_BOUNDS.ok[1];

function listCondition({ query, caller }: Call<typeof listBulkPosts>, templates: Templates): SQL | undefined {
  const { content_type: type, include, needs_improvement: poorFields } = query;
  const search = query.search.trim();
  const statuses = query.status.length === 0 ? BULK_STATUSES : query.status;
  const authorId = isAllowed(caller, type, 'editOthers') ? undefined : (caller.user?.id ?? 0);
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
          ...SEARCHED_SETTINGS.map((setting) => matchesTerm(storedSetting(setting), search)),
        ),
    poorFields.length === 0 ? undefined : or(...poorFields.map((field) => needsImprovement(field, templates))),
  );
}

/** Selects rows with a poor score, or an empty value without a template. */
function needsImprovement(field: BulkField, templates: Templates): SQL {
  const isEmpty = templates[field] === '' ? sql`${storedSetting(SETTINGS[field])} = ''` : sql`false`;
  const scores = { seo_title: 'title_score', meta_description: 'description_score' } as const;
  if (field !== 'seo_title' && field !== 'meta_description') return isEmpty;
  return sql`(${isEmpty} or ${storedScore(scores[field])} between 1 and ${sql.raw(String(MAX_POOR_SCORE))})`;
}

function scoresPoorly(score: number): boolean {
  return score > 0 && score <= MAX_POOR_SCORE;
}

function presentRow(row: ContentRow, { addresses }: Call<typeof listBulkPosts>, templates: Templates): BulkRow {
  const settings = parseSettingsMeta(row.meta);
  const values: Templates = {
    seo_title: settings.title,
    meta_description: settings.description,
    social_title: settings.og_title,
    social_description: settings.og_description,
  };
  const fallback = (field: BulkField) => (values[field] === '' ? templates[field] : '');
  const isMissing = (field: BulkField) => values[field] === '' && templates[field] === '';
  return {
    ...presentCommon(row),
    edit_link: editLink(addresses, row),
    focus_keyphrase: settings.focus_keyphrase,
    ...values,
    seo_title_fallback: fallback('seo_title'),
    meta_description_fallback: fallback('meta_description'),
    social_title_fallback: fallback('social_title'),
    social_description_fallback: fallback('social_description'),
    editable: true,
    needs_improvement: {
      seo_title: isMissing('seo_title') || scoresPoorly(settings.title_score),
      meta_description: isMissing('meta_description') || scoresPoorly(settings.description_score),
      social_title: isMissing('social_title'),
      social_description: isMissing('social_description'),
    },
  };
}

function presentCommon({ id, title, status }: ContentRow): Pick<BulkRow, 'id' | 'title' | 'status'> {
  return { id, title: decodeHtml(title).trim() || UNTITLED, status };
}

/** Presents a row that the caller can't edit. */
function presentLockedRow(row: ContentRow): BulkRow {
  return {
    ...presentCommon(row),
    edit_link: '',
    focus_keyphrase: '',
    seo_title: '',
    meta_description: '',
    social_title: '',
    social_description: '',
    seo_title_fallback: '',
    meta_description_fallback: '',
    social_title_fallback: '',
    social_description_fallback: '',
    editable: false,
    needs_improvement: { seo_title: false, meta_description: false, social_title: false, social_description: false },
  };
}

async function listContent(call: Call<typeof listBulkContent>): Promise<ResultOf<typeof listBulkContent>> {
  const { context, caller, addresses } = call;
  const ids = [...new Set(call.query.ids)];
  const rows = await context.store.db
    .select()
    .from(content)
    .where(
      and(
        inArray(content.id, ids),
        inArray(content.type, typesWithHeads(context)),
        inArray(content.status, [...BULK_STATUSES]),
        eq(content.password, ''),
      ),
    );
  const editable = new Map(rows.filter((row) => canEdit(row, caller)).map((row) => [row.id, row.content]));
  const { url } = await loadSite(call);
  const posts = ids.flatMap((id) => {
    const text = editable.get(id);
    return text === undefined ? [] : [{ id, content: replaceSiteUrl(text, url, addresses.site) }];
  });
  return item({ posts });
}
