import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Context } from '#contracts/core/index.ts';
import { Memo, type AnyCall } from '#origin/platform/http/transport/index.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { isSiteLoaded, keepSite, loadSite, SITE_COLUMN, type Site } from '#origin/platform/site/index.ts';
import { idPlaceholders, idValues, prepareOnce } from '#origin/platform/store/prepare-once.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { mayRead, type FindParent, type OwnedRow } from './content-rights.ts';
import { loadEmbeds } from './embeds/load-embeds.ts';
import { ancestorsById, ancestorsColumn, loadAncestors, type Ancestor, type TermRow } from './load-ancestors.ts';

/** How the rows of one answer are shown, and everything around them that is needed for it. */
export interface ContentView {
  call: AnyCall;
  kind: ContentKind;
  /** All rows of the answer. */
  rows: readonly ContentRow[];
  /** For what a kind loads for all of them at once. */
  memo: Memo;
  context: Context;
  site: Site;
  /** What the caller gave as the password of a row. */
  password: string | undefined;
  /** Words of a generated excerpt. */
  excerptLength: number | undefined;
  ancestors: ReadonlyMap<number, Ancestor>;
  parentOf: FindParent;
  terms: ReadonlyMap<number, readonly TermRow[]>;
  revisions: ReadonlyMap<number, RevisionCount>;
  /** Ids of media the caller may see, among those that stand for a row. */
  featured: ReadonlySet<number>;
  /** What addresses in the content stand for. */
  embeds: ReadonlyMap<string, string>;
  /** Depths of rows, in lists ordered by hierarchy. */
  levels?: ReadonlyMap<number, number>;
}

/** How an answer is to look, as far as the request says it. */
export interface ContentLook {
  context: Context;
  password?: string | undefined;
  excerptLength?: number | undefined;
  levels?: ReadonlyMap<number, number>;
  /** Where they are known already. */
  ancestors?: ReadonlyMap<number, Ancestor>;
}

/** Loads what a page of rows needs, each kind of thing in one statement, and only what will be shown. */
export async function loadContentView(
  call: AnyCall,
  kind: ContentKind,
  rows: readonly ContentRow[],
  look: ContentLook,
): Promise<ContentView> {
  const { db } = call.context.store;
  const { fields } = call;
  const ids = rows.map(({ id }) => id);
  const wanted = partsAround(call, kind);
  const [around, ancestors] = await Promise.all([
    wanted.terms || wanted.links ? loadAround(call, ids, wanted) : new Map<number, Around>(),
    look.ancestors ?? loadAncestors(db, rows, call.requestMemo),
  ]);
  const site = await loadSite(call);
  const readable = rows
    .flatMap(({ id }) => around.get(id)?.featured ?? [])
    .filter(({ row, above }) => mayRead(row, call.caller, ({ parentId }) => above.get(parentId)))
    .map(({ row }) => row);
  const showsContent = !kind.isFile && (fields.wants('content') || fields.wants('excerpt'));
  return {
    call,
    kind,
    rows,
    memo: new Memo(),
    site,
    embeds: showsContent ? await loadEmbeds(call, site, rows) : new Map<string, string>(),
    ancestors,
    parentOf: ({ parentId }) => ancestors.get(parentId),
    terms: new Map([...around].map(([id, { terms }]) => [id, terms])),
    revisions: new Map([...around].map(([id, { revisions }]) => [id, revisions])),
    featured: new Set(readable.map(({ id }) => id)),
    context: look.context,
    password: look.password,
    excerptLength: look.excerptLength,
    ...(look.levels ? { levels: look.levels } : {}),
  };
}

interface RevisionCount {
  count: number;
  newestId: number;
}

/** What belongs to a row and is shown with it. */
interface Around {
  terms: readonly TermRow[];
  revisions: RevisionCount;
  /** What stands for it, with what decides who may see that. */
  featured: { row: OwnedRow; above: ReadonlyMap<number, Ancestor> } | undefined;
}

/** Which of what belongs to rows is shown, and whether the settings of the site come with it. */
export interface PartsAround {
  terms: boolean;
  links: boolean;
  site: boolean;
}

export const NOTHING_AROUND: PartsAround = { terms: false, links: false, site: false };

export function partsAround(
  { fields, requestMemo }: Pick<AnyCall, 'fields' | 'requestMemo'>,
  { terms, isFile }: ContentKind,
): PartsAround {
  const hasTerms = [...terms.map(({ parameter }) => parameter), 'class_list'].some((name) => fields.wants(name));
  return {
    terms: terms.length > 0 && hasTerms,
    links: !isFile && fields.wants('_links'),
    site: !isSiteLoaded({ requestMemo }),
  };
}

/**
 * The terms of some rows ordered by name, how many revisions they have and which is the newest, autosaves included, and
 * the media that stand for them: one statement, with the settings of the site where nobody has read these.
 */
async function loadAround(
  { context, requestMemo }: AnyCall,
  ids: readonly number[],
  parts: PartsAround,
): Promise<ReadonlyMap<number, Around>> {
  if (ids.length === 0) return new Map();
  const known = await Promise.all(ids.map((id) => requestMemo.known<Around>(aroundKey(id, parts))));
  if (!known.includes(undefined)) return new Map(ids.flatMap((id, n) => (known[n] ? [[id, known[n]]] : [])));
  return requestMemo.gather(`around ${parts.terms} ${parts.links}`, ids, async (all) => {
    const found = await aroundStatement(context.store.db, idValues(all), all.length, parts);
    const [first] = found;
    if (parts.site && first) keepSite({ requestMemo }, first.site);
    return new Map(found.map((one) => [one.id, readAround(one)]));
  });
}

/** What was found around a row when it was loaded itself. */
export function keepAround(
  requestMemo: Memo,
  id: number,
  parts: PartsAround,
  found: Parameters<typeof readAround>[0] & { site: unknown },
): void {
  if (parts.site) keepSite({ requestMemo }, found.site);
  if (parts.terms || parts.links) requestMemo.keep(aroundKey(id, parts), readAround(found));
}

/** The same for a row that was just added, whose terms are known: nobody has revised it yet. */
export function keepAroundNew(
  call: Pick<AnyCall, 'fields' | 'requestMemo'>,
  kind: ContentKind,
  { id, featuredMedia }: Pick<ContentRow, 'id' | 'featuredMedia'>,
  terms: readonly TermRow[],
): void {
  if (featuredMedia !== 0) return;
  const found = { terms: [...terms], count: 0, newestId: 0, featured: null, aboveFeatured: null };
  call.requestMemo.keep(aroundKey(id, partsAround(call, kind)), readAround(found));
}

function aroundKey(id: number, { terms, links }: PartsAround): string {
  return `around ${terms} ${links} ${id}`;
}

interface FoundAround {
  terms: TermRow[] | null;
  count: number | null;
  newestId: number | null;
  featured: OwnedRow | null;
  aboveFeatured: Ancestor[] | null;
}

function readAround({ terms, count, newestId, featured, aboveFeatured }: FoundAround): Around {
  return {
    terms: (terms ?? []).toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id),
    revisions: { count: count ?? 0, newestId: newestId ?? 0 },
    featured: featured ? { row: featured, above: ancestorsById(aboveFeatured) } : undefined,
  };
}

/** The same as columns of a statement that joins `picture` by `isFeatured`. */
export function aroundColumns({ terms, links, site }: PartsAround) {
  const none = sql`null`;
  return {
    site: site ? SITE_COLUMN : sql<unknown>`null`,
    terms: sql<TermRow[] | null>`${terms ? TERMS : none}`,
    count: sql<number | null>`${links ? sql`(select count(*) from ${REVISIONS})` : none}`.mapWith(Number),
    newestId: sql<number | null>`${links ? sql`(select max(r.id) from ${REVISIONS})` : none}`.mapWith(Number),
    featured: {
      id: picture.id,
      type: picture.type,
      status: picture.status,
      statusBeforeTrash: picture.statusBeforeTrash,
      authorId: picture.authorId,
      parentId: picture.parentId,
    },
    aboveFeatured: ancestorsColumn(sql`coalesce(${picture.parentId}, 0)`),
  };
}

export function isFeatured({ links }: PartsAround): SQL | undefined {
  return and(links ? undefined : sql`false`, eq(picture.id, content.featuredMedia), isPicture);
}

const aroundStatement = prepareOnce((db, count: number, parts: PartsAround) =>
  db
    .select({ id: content.id, ...aroundColumns(parts) })
    .from(content)
    .leftJoin(picture, isFeatured(parts))
    .where(inArray(content.id, idPlaceholders(count)))
    .prepare(''),
);

export const picture = alias(content, 'picture');
const isPicture = eq(picture.type, 'attachment');
const REVISIONS = sql`${content} r where r.type = 'revision' and r.parent_id = ${content.id}`;
/** Rows of terms as one value. @param alias under which the statement has them */
export function termsAsJson(alias: string): SQL {
  const t = sql.raw(alias);
  return sql`json_agg(json_build_object('id', ${t}.id, 'taxonomy', ${t}.taxonomy, 'name', ${t}.name, 'slug', ${t}.slug,
    'description', ${t}.description, 'parentId', ${t}.parent_id))`;
}
const TERMS = sql`(
  select ${termsAsJson('t')} from ${contentTerm} ct join ${term} t on t.id = ct.term_id where ct.content_id = ${content.id}
)`;
