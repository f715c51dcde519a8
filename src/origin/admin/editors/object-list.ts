import { and, asc, desc, eq, inArray, like, not, notInArray, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { MAX_NAME_LENGTH } from '#contracts/core/field.ts';
import { parseSettingsMeta, type SeoSettings } from '#contracts/seo/settings.ts';
import type { ScoreBucket } from '#contracts/seo/scores.ts';
import { hasHeads, listTermKinds, loadTermTree } from '#origin/namespaces/seo/head/find-page.ts';
import { hasNoindexSetting, readObjectMeta, storedScore, storedSetting } from '#origin/namespaces/seo/settings.ts';
import { loadLinks } from '#origin/namespaces/seo/links.ts';
import { READABILITY_BUCKET, SEO_BUCKET } from '#origin/namespaces/seo/scores.ts';
import { getAuthorUrl } from '#origin/platform/content/content-url.ts';
import { hasTerm, matchesContentSearch } from '#origin/platform/content/find-content.ts';
import { isEditableBy } from '#origin/platform/content/content-rights.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { CATEGORY } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { anyOf, bytewise, findRows, type RowOf, type RowPage } from '#origin/platform/content/resources/find-rows.ts';
import { matchesTerm } from '#origin/platform/search/search-condition.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { LanguageRules, OriginContext } from '#origin/platform/context/origin-context.ts';
import { content, contentTerm, term, user } from '#origin/platform/store/schema.ts';
import { MAX_SEARCH_LENGTH, type EditorRequest, type EditorTexts } from './editor-request.ts';

export const ROWS_PER_PAGE = 20;

const RANKS = ['good', 'ok', 'bad', 'na', 'noindex'] as const;
type Rank = (typeof RANKS)[number];
const rank = z.enum(RANKS).optional().catch(undefined);
const name = z.string().min(1).max(MAX_NAME_LENGTH).optional().catch(undefined);

const SORTS = ['title', 'date', 'status', 'seo', 'readability'] as const;
export type Sort = (typeof SORTS)[number];

/** Filters and order of a list, as in links of the interface. */
const listQuery = z.object({
  /** Content type, taxonomy, or `user`. */
  type: z.string().max(40).catch('post'),
  s: z.string().max(MAX_SEARCH_LENGTH).catch(''),
  seo_filter: rank,
  readability_filter: rank,
  status: name,
  language: name,
  /** Setting that is not set, although search engines list the page. */
  missing: z.enum(['description', 'focus_keyphrase']).optional().catch(undefined),
  /** `1` counts the links to each page, which takes seconds for thousands of texts. */
  links: z.literal('1').optional().catch(undefined),
  sort: z.enum(SORTS).catch('date'),
  /** @default that of the sorted column */
  order: z.enum(['asc', 'desc']).optional().catch(undefined),
  category: name,
  author: z.coerce.number().int().positive().optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
});
export type ListQuery = z.output<typeof listQuery>;

/** Terms and users have only names to sort by. */
export function parseListQuery({ context }: Pick<EditorRequest, 'context'>, query: URLSearchParams): ListQuery {
  const parsed = listQuery.parse(Object.fromEntries(query));
  return context.kinds.has(parsed.type) ? parsed : { ...parsed, sort: 'title' };
}

/** Order of a list: that of the query, else names from A and the newest and best first. */
export function orderOf({ sort, order }: Pick<ListQuery, 'sort' | 'order'>): 'asc' | 'desc' {
  return order ?? (sort === 'title' || sort === 'status' ? 'asc' : 'desc');
}

/** Built-in kinds with translated names. Other kinds use the name of their registration. */
const KINDS: ReadonlyMap<string, keyof EditorTexts> = new Map([
  ['post', 'posts'],
  ['page', 'pages'],
  ['podcast', 'episodes'],
  ['category', 'categories'],
  ['post_tag', 'tags'],
]);

export const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

export function formatStatus(words: EditorTexts, status: string): string {
  const known = STATUSES.find((word) => word === status);
  return known === undefined ? status : words[known];
}

/** Kinds that the user can edit, as `[type, name]`. */
export function listEditableKinds({ context, caller, words }: EditorRequest) {
  const kinds = [...context.kinds.values()].filter((kind) => hasHeads(kind) && can(caller, kind.rights.edit));
  const terms = can(caller, 'manage_categories') ? listTermKinds(context) : [];
  const labelKind = (type: string, name: string): readonly [type: string, name: string] => {
    const word = KINDS.get(type);
    return [type, word === undefined ? name : words[word]];
  };
  return [
    ...kinds.map(({ type, name }) => labelKind(type, name)),
    ...terms.map(({ taxonomy, name }) => labelKind(taxonomy, name)),
    ...(can(caller, 'edit_users') ? [['user', words.authors] as const] : []),
  ];
}

export interface ListedObject {
  type: string;
  id: number;
  name: string;
  status: string;
  /** Undefined if it is unknown. */
  language?: string | undefined;
  /** Local time of the latest change; empty if it is unknown. */
  modified: string;
  settings: SeoSettings;
  /** Links from other texts to its page, if the query counts them. */
  incoming?: number | undefined;
}

/** Lists a page of editable objects of one kind. Restricted to `ids` if given. */
export async function listObjects(request: EditorRequest, query: ListQuery, ids?: readonly number[]) {
  const isKnown = listEditableKinds(request).some(([type]) => type === query.type);
  if (!isKnown || ids?.length === 0) return { rows: [], total: 0 };
  const { context } = request;
  if (context.kinds.has(query.type)) return listContent(request, query, ids);
  if (query.type === 'user')
    return listNamed(context, query, ids, user, eq(user.active, true), () =>
      Promise.resolve((row) => getAuthorUrl(row, context.publicUrl)),
    );
  return listNamed(context, query, ids, term, eq(term.taxonomy, query.type), async (rows) => {
    const tree = await loadTermTree(context, context.publicUrl, rows);
    return (row) => tree.urlOf(row);
  });
}

/** Builds the condition of the filters that need no further rows. */
export function matchesFilters({
  status,
  missing,
  seo_filter: seo,
  readability_filter: readability,
}: Partial<ListQuery>): SQL | undefined {
  return and(
    status === undefined ? undefined : eq(content.status, status),
    missing && and(eq(storedSetting(missing), ''), not(hasNoindexSetting())),
    seo && isRanked(SEO_BUCKET, seo),
    readability && isRanked(READABILITY_BUCKET, readability),
  );
}

export function lacksAltText(): SQL | undefined {
  return and(
    eq(content.type, 'attachment'),
    notInArray(content.status, ['trash', 'auto-draft']),
    like(content.mimeType, 'image/%'),
    eq(content.altText, ''),
  );
}

/** Letters that sort like the one below them. The search folds many more, which takes seconds for thousands of titles. */
const ACCENTED = 'äáàâåçéèêëíìîïñóòôöúùûüÿÄÁÀÂÅÇÉÈÊËÍÌÎÏÑÓÒÔÖÚÙÛÜŸ';
const PLAIN = 'aaaaaceeeeiiiinoooouuuuy'.repeat(2);

const SORTED: Readonly<Record<Sort, SQL>> = {
  title: bytewise(sql`translate(lower(${content.title}), ${ACCENTED}, ${PLAIN})`),
  date: sql`${content.modified}`,
  status: sql`${content.status}`,
  seo: storedScore('seo_score'),
  readability: storedScore('readability_score'),
};

async function listContent({ context, caller }: EditorRequest, query: ListQuery, ids: Ids) {
  const { db } = context.store;
  const { author, category } = query;
  const languages = listLanguages(context, query.type);
  const language =
    context.languageRules && languages.length > 0 ? contentLanguage(context.languageRules) : sql<undefined>`null`;
  const condition = and(
    eq(content.type, query.type),
    inArray(content.status, [...STATUSES]),
    isEditableBy(caller),
    anyOf(content.id, ids),
    matchesContentSearch(query.s, caller),
    author === undefined ? undefined : eq(content.authorId, author),
    category === undefined ? undefined : hasTerm(db, await findCategory(db, category)),
    query.language === undefined || languages.length === 0 ? undefined : eq(language, query.language),
    matchesFilters(query),
  );
  const total = await db.$count(content, condition);
  const direction = directionOf(query);
  const { id, type, title, status, modified, meta } = content;
  const rows = await db
    .select({ id, type, title, status, modified, meta, language })
    .from(content)
    .where(condition)
    .orderBy(direction(SORTED[query.sort]), direction(content.id))
    .limit(ROWS_PER_PAGE)
    .offset((query.page - 1) * ROWS_PER_PAGE);
  const links = query.links && (await countLinks(context));
  const listed = rows.map(({ title: name, meta: settings, ...row }) => ({
    ...row,
    language: row.language ?? undefined,
    name: plainText(name),
    settings: parseSettingsMeta(settings),
    incoming: links && (links.byId.get(row.id) ?? 0),
  }));
  return { rows: listed, total };
}

/** Counts the links between all texts, which are read once after a change of the store. */
function countLinks(context: OriginContext) {
  return context.store.writes.once('links of editors', async () => {
    const { countIncoming, texts } = await loadLinks(context);
    return { countIncoming, byId: new Map(texts.map((text) => [text.id, text.incoming_link_count])) };
  });
}

type Ids = readonly number[] | undefined;

function directionOf(query: Pick<ListQuery, 'sort' | 'order'>) {
  return orderOf(query) === 'asc' ? asc : desc;
}

async function findCategory(db: Database, slug: string): Promise<number[]> {
  const found = await db
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, CATEGORY.taxonomy), eq(term.slug, slug)));
  return found.map(({ id }) => id);
}

function isRanked(bucket: SQL<ScoreBucket>, rank: Rank): SQL {
  if (rank === 'noindex') return hasNoindexSetting();
  return eq(bucket, rank === 'na' ? 'notAnalyzed' : rank);
}

async function listNamed<T extends typeof term | typeof user>(
  context: OriginContext,
  { type, page, s, links: isCounted, ...order }: ListQuery,
  ids: Ids,
  table: T,
  condition: SQL,
  loadUrls: (rows: readonly RowOf<T>[]) => Promise<(row: RowOf<T>) => string>,
): Promise<RowPage<ListedObject>> {
  const direction = directionOf(order);
  const { db } = context.store;
  const { rows, total } = await findRows(db, table, {
    where: and(condition, matchesTerm(table.name, s), anyOf(table.id, ids)),
    orderBy: [direction(table.name), direction(table.id)],
    window: { limit: ROWS_PER_PAGE, offset: (page - 1) * ROWS_PER_PAGE },
  });
  const rowIds = rows.map(({ id }) => id);
  const [meta, links, urlOf] = await Promise.all([
    readObjectMeta(db, type === 'user' ? 'user' : 'term', rowIds),
    isCounted && countLinks(context),
    loadUrls(rows),
  ]);
  const listed = rows.map((row) => ({
    id: row.id,
    type,
    name: plainText(row.name),
    status: '',
    modified: '',
    settings: parseSettingsMeta(meta.get(row.id) ?? {}),
    incoming: links && links.countIncoming(urlOf(row)),
  }));
  return { rows: listed, total };
}

const RULE_TAXONOMIES = { category: 'category', tag: 'post_tag' } as const;
const MAX_PARENTS = 20;

/** Types whose language follows from the rules alone. That of an episode also depends on its show. */
const RULED_TYPES = ['post', 'page'] as const;

/** Languages that content of a type can have; empty if their rules are unknown. */
export function listLanguages({ languageRules }: OriginContext, type: string): string[] {
  if (!languageRules || !RULED_TYPES.some((known) => known === type)) return [];
  const codes = languageRules.rules.flatMap((rule) => Object.values('terms' in rule ? rule.terms : rule.prefixes));
  return [...new Set([languageRules.main, ...codes])];
}

/**
 * Returns an SQL expression for the language of content, by the same rules as in the catalogue. A page without a
 * matching rule has the language of its parent.
 */
function contentLanguage({ rules, main }: LanguageRules): SQL<string> {
  const own = firstMatch(rules, sql`${content.slug}`, sql`${content.id}`);
  const above = firstMatch(rules, sql`above.slug`);
  const inherited = sql`(with recursive above as (
      select slug, parent_id, 1 as depth from ${content} parent where parent.id = ${content.parentId}
      union all
      select parent.slug, parent.parent_id, depth + 1 from ${content} parent join above on parent.id = above.parent_id
      where depth < ${sql.raw(String(MAX_PARENTS))}
    )
    select ${above} from above where ${above} is not null order by depth limit 1)`;
  return sql<string>`coalesce(${own}, case when ${content.type} = 'page' then ${inherited} end, ${main})`;
}

/** @param id ID of the content, unless it has no terms */
function firstMatch(rules: LanguageRules['rules'], slug: SQL, id?: SQL): SQL {
  const cases = rules.flatMap((rule) => {
    if ('prefixes' in rule)
      return Object.entries(rule.prefixes).map(
        ([prefix, language]) => sql`when starts_with(${slug}, ${prefix}) then ${language}::text`,
      );
    if (!id) return [];
    const taxonomy = RULE_TAXONOMIES[rule.by];
    return Object.entries(rule.terms).map(
      ([name, language]) => sql`when ${id} in (${contentBelow(taxonomy, name)}) then ${language}::text`,
    );
  });
  return cases.length === 0 ? sql`null::text` : sql`case ${sql.join(cases, sql` `)} end`;
}

/** IDs of the content with a term or one below it. It doesn't depend on the row, so it runs once per statement. */
function contentBelow(taxonomy: string, slug: string): SQL {
  return sql`with recursive below as (
      select id from ${term} named where named.taxonomy = ${taxonomy} and named.slug = ${slug}
      union
      select child.id from ${term} child join below on child.parent_id = below.id
    )
    select assigned.content_id from ${contentTerm} assigned join below on assigned.term_id = below.id`;
}
