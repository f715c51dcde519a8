import { and, eq, inArray, count, max } from 'drizzle-orm';
import type { Context } from '#contracts/core/index.ts';
import { Memo, type AnyCall } from '#origin/platform/http/transport/index.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite, type Site } from '#origin/platform/site/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { mayRead, type FindParent, type OwnedRow } from './content-rights.ts';
import { loadEmbeds } from './embeds/load-embeds.ts';
import { loadAncestors, type Ancestor, loadTerms, type TermRow } from './load-ancestors.ts';

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
  const hasTerms = [...kind.terms.map(({ parameter }) => parameter), 'class_list'].some((name) => fields.wants(name));
  const hasRevisions = !kind.isFile && fields.wants('_links');
  const hasFeatured = hasRevisions;
  const [site, ancestors, terms, revisions, featured] = await Promise.all([
    loadSite(call),
    loadAncestors(db, rows),
    kind.terms.length > 0 && hasTerms ? loadTerms(db, ids) : new Map<number, TermRow[]>(),
    hasRevisions ? loadRevisionCounts(db, ids) : new Map<number, RevisionCount>(),
    hasFeatured
      ? loadFeaturedMedia(
          db,
          rows.map(({ featuredMedia }) => featuredMedia),
        )
      : new Map<number, OwnedRow>(),
  ]);
  const above = featured.size > 0 ? await loadAncestors(db, [...featured.values()]) : new Map<number, Ancestor>();
  const readable = [...featured.values()].filter((row) =>
    mayRead(row, call.caller, ({ parentId }) => above.get(parentId)),
  );
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
    terms,
    revisions,
    featured: new Set(readable.map(({ id }) => id)),
    context: look.context,
    password: look.password,
    excerptLength: look.excerptLength,
    ...(look.levels ? { levels: look.levels } : {}),
  };
}

/** The media that stand for some rows, by their own id, with what decides who may see them: one statement. */
async function loadFeaturedMedia(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, OwnedRow>> {
  const wanted = [...new Set(ids)].filter((id) => id !== 0);
  if (wanted.length === 0) return new Map();
  const found = await db
    .select({
      id: content.id,
      type: content.type,
      status: content.status,
      statusBeforeTrash: content.statusBeforeTrash,
      authorId: content.authorId,
      parentId: content.parentId,
    })
    .from(content)
    .where(and(eq(content.type, 'attachment'), inArray(content.id, wanted)));
  return new Map(found.map((row) => [row.id, row]));
}

interface RevisionCount {
  count: number;
  newestId: number;
}

/** How many revisions some rows have and which is the newest, autosaves included: one statement. */
async function loadRevisionCounts(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, RevisionCount>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ parentId: content.parentId, count: count(), newestId: max(content.id) })
    .from(content)
    .where(and(eq(content.type, 'revision'), inArray(content.parentId, [...ids])))
    .groupBy(content.parentId);
  return new Map(found.map(({ parentId, count, newestId }) => [parentId, { count, newestId: newestId ?? 0 }]));
}
