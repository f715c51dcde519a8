import { and, asc, eq, ilike, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { SEO_META_KEYS, settingsOfMeta, type SeoSettings } from '#contracts/seo/index.ts';
import { readObjectMeta } from '#origin/namespaces/seo/records/object-settings.ts';
import { contentCondition } from '#origin/platform/content/find-content.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import type { TermKind } from '#origin/platform/registry/term-kind.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { parseSearch } from '#origin/platform/search/index.ts';
import { content, term } from '#origin/platform/store/schema.ts';
import type { EditorCall } from './editor-call.ts';

export const ROWS_PER_PAGE = 20;

const RANKS = ['good', 'ok', 'bad', 'na'] as const;
type Rank = (typeof RANKS)[number];
const rank = z.enum(RANKS).optional().catch(undefined);

/** What a list is narrowed to. The names are those that links of the interface use. */
const listQuery = z.object({
  /** Type of content, or taxonomy. */
  post_type: z.string().max(40).catch('post'),
  type: z.string().max(40).optional().catch(undefined),
  taxonomy: z.string().max(40).optional().catch(undefined),
  s: z.string().max(200).catch(''),
  seo_filter: rank,
  readability_filter: rank,
  paged: z.coerce.number().int().min(1).max(100_000).catch(1),
});
export type ListQuery = z.output<typeof listQuery>;

export function readListQuery(path: string): ListQuery {
  const { searchParams } = new URL(path, 'http://x');
  const read = listQuery.parse(Object.fromEntries(searchParams));
  return { ...read, post_type: read.taxonomy ?? read.type ?? read.post_type };
}

/** Kinds of things that somebody may edit, as `[type, name]`. */
export function editableKinds({ context, caller }: EditorCall): (readonly [type: string, name: string])[] {
  const kinds = [...context.kinds.values()].filter(
    ({ hasPage, isFile, rights }) => hasPage && !isFile && can(caller, rights.edit),
  );
  const terms = can(caller, 'manage_categories') ? termKinds(context.kinds.values()) : [];
  return [
    ...kinds.map(({ type, name }) => [type, name] as const),
    ...terms.map(({ taxonomy, name }) => [taxonomy, name] as const),
  ];
}

function termKinds(kinds: Iterable<{ terms: readonly TermKind[] }>): TermKind[] {
  const all = [...kinds].flatMap(({ terms }) => terms);
  return [...new Map(all.map((kind) => [kind.taxonomy, kind])).values()];
}

export interface ListedObject {
  type: string;
  id: number;
  name: string;
  status: string;
  settings: SeoSettings;
}

export interface ObjectList {
  rows: readonly ListedObject[];
  total: number;
  pages: number;
}

/** One page of what somebody may edit of one kind, newest first; terms by their name. */
export async function listObjects(call: EditorCall, query: ListQuery): Promise<ObjectList> {
  const isKnown = editableKinds(call).some(([type]) => type === query.post_type);
  if (!isKnown) return { rows: [], total: 0, pages: 0 };
  return call.context.kinds.has(query.post_type) ? listContent(call, query) : listTerms(call, query);
}

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'];

async function listContent({ context, caller }: EditorCall, query: ListQuery): Promise<ObjectList> {
  const { db } = context.store;
  const condition = and(
    contentCondition(db, {
      viewer: { caller, as: 'editor' },
      type: query.post_type,
      statuses: STATUSES,
      ...(query.s === '' ? {} : { search: parseSearch(query.s) }),
    }),
    rankCondition(SEO_META_KEYS.seo_score, query.seo_filter),
    rankCondition(SEO_META_KEYS.readability_score, query.readability_filter),
  );
  const total = await db.$count(content, condition);
  const rows = await db
    .select({ id: content.id, type: content.type, title: content.title, status: content.status, meta: content.meta })
    .from(content)
    .where(condition)
    .orderBy(sql`${content.modified} desc, ${content.id} desc`)
    .limit(ROWS_PER_PAGE)
    .offset((query.paged - 1) * ROWS_PER_PAGE);
  const listed = rows.map(({ title, meta, ...row }) => ({
    ...row,
    name: plainText(title),
    settings: settingsOfMeta(meta),
  }));
  return { rows: listed, total, pages: Math.ceil(total / ROWS_PER_PAGE) };
}

/** Bounds of the interface: 1 to 40, to 70, to 100; `na` is what was never analysed. */
const BOUNDS: Readonly<Record<Rank, readonly [least: number, most: number]>> = {
  bad: [1, 40],
  ok: [41, 70],
  good: [71, 100],
  na: [0, 0],
};

function rankCondition(key: string, wanted: Rank | undefined): SQL | undefined {
  if (wanted === undefined) return undefined;
  const value = sql`${content.meta} ->> ${key}`;
  const [least, most] = BOUNDS[wanted];
  // Meta may hold anything: what is no score counts as none.
  return sql`(case when ${value} ~ '^[0-9]{1,3}$' then (${value})::int else 0 end) between ${least} and ${most}`;
}

async function listTerms({ context }: EditorCall, query: ListQuery): Promise<ObjectList> {
  const { db } = context.store;
  const pattern = `%${query.s.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const condition = and(eq(term.taxonomy, query.post_type), query.s === '' ? undefined : ilike(term.name, pattern));
  const total = await db.$count(term, condition);
  const rows = await db
    .select()
    .from(term)
    .where(condition)
    .orderBy(asc(term.name), asc(term.id))
    .limit(ROWS_PER_PAGE)
    .offset((query.paged - 1) * ROWS_PER_PAGE);
  const meta = await readObjectMeta(
    db,
    'term',
    rows.map(({ id }) => id),
  );
  const listed = rows.map(({ id, taxonomy, name }) => ({
    id,
    type: taxonomy,
    name: plainText(name),
    status: '',
    settings: settingsOfMeta(meta.get(id) ?? {}),
  }));
  return { rows: listed, total, pages: Math.ceil(total / ROWS_PER_PAGE) };
}
