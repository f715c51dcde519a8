import { and, desc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Context } from '#contracts/core/field.ts';
import type { postAutosave } from '#contracts/core/post.ts';
import type { ContentRoutes } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { toSiteTime, toUtc } from '#contracts/site-clock.ts';
import { signForm } from '#origin/platform/accounts/account-page.ts';
import {
  presentPrevious,
  presentFields,
  type FieldValues,
  collection,
  item,
  type AnyCall,
  type Call,
  type ResultOf,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import { presentRows } from '#origin/platform/http/transport/respond.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import {
  canDelete,
  canEdit,
  isReadableBy,
  findRow,
  createCannotDeleteError,
  createCannotEditError,
  type WritingItemCall,
} from './content-rights.ts';
import { getContentUrl, loadAncestors } from './content-url.ts';
import { matchesContentSearch, orderContent } from './find-content.ts';
import { rejectInvalidOrder } from './read-content.ts';
import { findRows, matchesList, readWindow } from './resources/find-rows.ts';
import { insertRow, writeContent } from './resources/resource.ts';
import { wireTime } from './present-content.ts';
import { autosaveSlug, pickRevisionMeta, loadForUpdate, updateRow } from './writing/write-content.ts';
import { filterInput, mergeMeta, wrongMetaError } from './writing/plan-content.ts';

/** Lists all revisions of a row, or one page of them. */
export async function listContentRevisions(
  call: Call<ContentRoutes['listRevisions']>,
  kind: RevisionKind,
): Promise<ResultOf<ContentRoutes['listRevisions']>> {
  const { query, params, context, caller } = call;
  rejectInvalidOrder(call, query);
  const { page, per_page: perPage } = query;
  const { rows, total } = await findRows(context.store.db, content, {
    where: and(
      eq(content.type, 'revision'),
      eq(content.parentId, params.parent),
      matchesList(content, query),
      matchesContentSearch(query.search, caller),
      isReadableBy(caller),
    ),
    orderBy: orderContent(query, query.orderby === 'date' ? query.order : 'asc'),
    window:
      perPage === undefined
        ? { limit: Number.MAX_SAFE_INTEGER, offset: 0 }
        : readWindow({ ...query, per_page: perPage }),
  });
  const isBeyondEnd = query.offset !== undefined && Math.abs(query.offset) >= total;
  if (total > 0 && perPage !== undefined && isBeyondEnd)
    throw call.refuse('rest_revision_invalid_offset_number', 'The offset exceeds the number of revisions.');
  if (total > 0 && page > Math.ceil(total / (perPage ?? total)))
    throw call.refuse('rest_revision_invalid_page_number', 'The page number exceeds the number of pages.');
  const shown = await presentRows(rows, (row) => presentRevision(row, { call, kind, context: query.context }));
  return collection(shown, total, { page, perPage: perPage ?? Math.max(total, 1) });
}

/** Gets one revision of the row in the path. */
export async function getContentRevision(
  call: Call<ContentRoutes['getRevision']>,
  kind: RevisionKind,
): Promise<ResultOf<ContentRoutes['getRevision']>> {
  const { params, query } = call;
  const row = await loadRevision(call, params.id);
  if (row.parentId !== params.parent)
    throw call.refuse(
      'rest_revision_parent_id_mismatch',
      `The revision does not belong to the item with the ID ${params.parent}.`,
    );
  return revisionResult(call, row, await presentRevision(row, { call, kind, context: query.context }));
}

/** Result with a revision or autosave. If its parent is selected, `_links` are included. */
function revisionResult(
  call: AnyCall,
  row: ContentRow,
  shown: PresentedRevision,
): ResultOf<ContentRoutes['getAutosave']> {
  const result: ResultOf<ContentRoutes['getAutosave']> = item(shown);
  return row.parentId === 0 || !call.fields.wants('parent') ? result : { ...result, keepsLinks: true };
}

type PresentedRevision = SelectedFields<z.input<RevisionKind['routes']['getAutosave']['response']>>;

interface RevisionView {
  call: AnyCall;
  kind: RevisionKind;
  context: Context;
  /** Preview address of an autosave. */
  previewLink?: string;
}

/** Presents a revision, an autosave, or a draft that was saved in place. */
async function presentRevision(row: ContentRow, view: RevisionView): Promise<PresentedRevision> {
  const { call, kind } = view;
  const site = await loadSite(call);
  const relocated = (text: string) => replaceSiteUrl(text, site.url, call.addresses.site);
  const withRaw = (raw: string, rendered: string) => (view.context === 'edit' ? { raw, rendered } : { rendered });
  const guid = `${call.addresses.site}/?p=${row.id}`;
  const excerpt = relocated(row.excerpt);
  const content = relocated(row.content);
  const { wants } = call.fields;
  const isExcerptShown = excerpt.trim() !== '' && wants('excerpt');
  const parent =
    row.parentId === 0 ? undefined : { parent: [{ href: call.addresses.rest(`${kind.base}/${row.parentId}`) }] };
  const fields = {
    author: row.authorId,
    date: wireTime(row.date),
    date_gmt: wireTime(row.dateGmt ?? toUtc(row.date, site.timezone)),
    id: row.id,
    modified: wireTime(row.modified),
    modified_gmt: wireTime(row.modifiedGmt),
    parent: row.parentId,
    slug: row.slug,
    guid: withRaw(guid, guid),
    title: withRaw(row.title, texturise(row.title)),
    content: withRaw(content, wants('content') ? await runTextJob('content', content) : ''),
    // Generated excerpts are not shown.
    excerpt: withRaw(excerpt, isExcerptShown ? await runTextJob('paragraphs', excerpt) : ''),
    meta: Object.fromEntries(kind.metaKeys.map((key) => [key, row.meta[key] ?? ''])),
    preview_link: view.previewLink,
    _links: parent,
    // Each kind has some of these fields.
  } satisfies FieldValues<z.input<typeof postAutosave>>;
  const shown = presentFields(kind.routes.getAutosave.response, fields, view);
  return parent && wants('parent') ? { ...shown, _links: parent } : shown;
}

const REVISION = { type: 'revision' };

/** Loads a revision or autosave. @throws RestError if it doesn't exist */
async function loadRevision(call: AnyCall<'rest_post_invalid_id'>, id: number): Promise<ContentRow> {
  const row = await findRow(call, REVISION, id);
  if (!row) throw call.refuse('rest_post_invalid_id', 'No revision with this ID.');
  return row;
}

/** Finds the autosaves of a row, latest first; at most one per user. */
function findAutosaves(db: Pick<Database, 'select'>, parentId: number): Promise<ContentRow[]> {
  return db
    .select()
    .from(content)
    .where(and(eq(content.type, 'revision'), eq(content.parentId, parentId), eq(content.slug, autosaveSlug(parentId))))
    .orderBy(desc(content.id));
}

/** Authorizes reading revisions, which requires the right to edit their row. */
export async function authorizeRevisionReading(
  call: AnyCall<'rest_post_invalid_parent' | 'rest_cannot_read'>,
  kind: RevisionKind,
  parentId: number,
): Promise<void> {
  const parent = await loadParent(call, kind, parentId);
  if (!canEdit(parent, call.caller))
    throw call.refuse('rest_cannot_read', 'You are not allowed to view the revisions of this item.');
}

/** Authorizes deletion, which requires the right to delete both the row in the path and the revision's actual row. */
export async function authorizeRevisionDeletion(
  call: AnyCall<RouteErrors<ContentRoutes['removeRevision']>> & { params: { parent: number; id: number } },
  kind: RevisionKind,
): Promise<void> {
  const { caller, params } = call;
  const parent = await loadParent(call, kind, params.parent);
  if (!canDelete(parent, caller)) throw createCannotDeleteError(call);
  const revision = await loadRevision(call, params.id);
  const owner = await findRow(call, kind, revision.parentId);
  if (!owner || !canDelete(owner, caller)) throw createCannotDeleteError(call);
}

async function loadParent(
  call: AnyCall<'rest_post_invalid_parent'>,
  kind: ContentKind,
  id: number,
): Promise<ContentRow> {
  const row = await findRow(call, kind, id);
  if (!row) throw call.refuse('rest_post_invalid_parent', 'No parent item with this ID.');
  return row;
}

interface RevisionKind extends ContentKind {
  /** Autosaves have all fields of revisions and a preview link. */
  routes: { getAutosave: { response: z.ZodObject } };
}

/** Deletes a revision and returns its former state. Revisions have no trash, so `force` is required. */
export async function deleteRevision(
  call: AnyCall<RouteErrors<ContentRoutes['removeRevision']>> & {
    params: { parent: number; id: number };
    query: { force: boolean };
  },
  kind: RevisionKind,
): Promise<ResultOf<ContentRoutes['removeRevision']>> {
  const { params, query, context } = call;
  const row = await loadRevision(call, params.id);
  if (!query.force)
    throw call.refuse('rest_trash_not_supported', 'Revisions have no trash. Send force=true to delete for good.');
  const shown = await presentRevision(row, { call, kind, context: 'view' });
  await writeContent(context.store.db, (tx) => tx.delete(content).where(eq(content.id, row.id)));
  return item({ deleted: true, previous: presentPrevious(shown, row.id, call) });
}

/** Changed texts as stored. */
type Texts = Partial<Pick<ContentRow, 'title' | 'content' | 'excerpt' | 'meta'>>;

/**
 * Saves a user's unsaved text. The user's own drafts are saved in place; for other rows the user has a single
 * autosave, which is overwritten. Other fields are validated but not stored.
 */
export async function saveAutosave(
  call: WritingItemCall,
  kind: RevisionKind,
): Promise<ResultOf<ContentRoutes['saveAutosave']>> {
  const { caller, context, params } = call;
  const site = await loadSite(call);
  const userId = caller.user?.id ?? 0;
  const body = await filterInput(call.body, caller);
  const row = await writeContent(context.store.db, async (tx) => {
    const parent = await loadForUpdate(tx, call, kind, params.id);
    if (!canEdit(parent, caller)) throw createCannotEditError(call);
    const texts = readTexts({ ...call, body }, kind, site);
    const now = timesOf(new Date(), site);
    const isOwnDraft = (parent.status === 'draft' || parent.status === 'auto-draft') && parent.authorId === userId;
    if (isOwnDraft) {
      const floats = parent.dateGmt === null ? { date: now.modified } : {};
      const meta = { ...parent.meta, ...texts.meta };
      return updateRow(tx, parent, { ...texts, ...floats, ...now, meta }, { kind });
    }
    return upsertAutosave(tx, parent, texts, { userId, now });
  });
  return revisionResult(call, row, await presentAutosave(call, kind, row, 'edit'));
}

async function upsertAutosave(
  tx: Transaction,
  parent: ContentRow,
  texts: Texts,
  { userId, now }: { userId: number; now: ReturnType<typeof timesOf> },
): Promise<ContentRow> {
  const slug = autosaveSlug(parent.id);
  const [existing] = await tx
    .select()
    .from(content)
    .where(
      and(
        eq(content.type, 'revision'),
        eq(content.parentId, parent.id),
        eq(content.slug, slug),
        eq(content.authorId, userId),
      ),
    )
    .limit(1);
  if (existing && isUnchanged(texts, parent)) return existing;
  const values = {
    title: texts.title ?? '',
    content: texts.content ?? '',
    excerpt: texts.excerpt ?? '',
    meta: texts.meta ?? {},
    date: now.modified,
    dateGmt: now.modifiedGmt,
    ...now,
  };
  if (existing) {
    await tx.update(content).set(values).where(eq(content.id, existing.id));
    return { ...existing, ...values };
  }
  const owner = { parentId: parent.id, authorId: userId };
  return insertRow(tx, content, { type: 'revision', status: 'inherit', slug, ...owner, ...values });
}

function readTexts(call: WritingItemCall, kind: RevisionKind, site: Site): Texts {
  const { body, addresses } = call;
  const toSiteLinks = (text: string) => replaceSiteUrl(text, addresses.site, site.url ?? addresses.site);
  const { meta, wrongKey } = mergeMeta(kind.metaKeys, {}, body.meta ?? {});
  if (wrongKey !== undefined) throw wrongMetaError(wrongKey, call);
  const revisionMeta = pickRevisionMeta(meta);
  return {
    ...(body.title === undefined ? {} : { title: body.title.trim() }),
    ...(body.content === undefined ? {} : { content: toSiteLinks(body.content) }),
    ...(body.excerpt === undefined ? {} : { excerpt: toSiteLinks(body.excerpt) }),
    ...(Object.keys(revisionMeta).length === 0 ? {} : { meta: revisionMeta }),
  };
}

function isUnchanged(texts: Texts, parent: ContentRow): boolean {
  const { meta = {}, ...plainTexts } = texts;
  const names = ['title', 'content', 'excerpt'] as const;
  return (
    names.every((name) => plainTexts[name] === undefined || plainTexts[name] === parent[name]) &&
    Object.entries(meta).every(([key, value]) => value === (parent.meta[key] ?? ''))
  );
}

function timesOf(now: Date, { timezone }: Site) {
  return { modified: toSiteTime(now, timezone), modifiedGmt: toSiteTime(now, 'UTC') };
}

/** Lists the autosaves of all users for a row. */
export async function listContentAutosaves(
  call: Call<ContentRoutes['listAutosaves']>,
  kind: RevisionKind,
): Promise<ResultOf<ContentRoutes['listAutosaves']>> {
  const rows = await findAutosaves(call.context.store.db, call.params.id);
  return item(await Promise.all(rows.map((row) => presentAutosave(call, kind, row, call.query.context))));
}

/** Gets the latest autosave of a row. The ID in the path is ignored. */
export async function getContentAutosave(
  call: Call<ContentRoutes['getAutosave']>,
  kind: RevisionKind,
): Promise<ResultOf<ContentRoutes['getAutosave']>> {
  const [newest] = await findAutosaves(call.context.store.db, call.params.parent);
  if (!newest) throw call.refuse('rest_post_no_autosave', 'There is no autosave for this item.');
  return revisionResult(call, newest, await presentAutosave(call, kind, newest, call.query.context));
}

/** Presents an autosave, or a draft that was saved in place, with its preview address. */
async function presentAutosave(
  call: AnyCall,
  kind: RevisionKind,
  row: ContentRow,
  context: Context,
): Promise<PresentedRevision> {
  const isDraft = row.type !== 'revision';
  const previewed = (isDraft ? undefined : await findRow(call, kind, row.parentId)) ?? row;
  const ancestors = await loadAncestors(call.context.store.db, [previewed]);
  const address = new URL(
    getContentUrl(previewed, { site: call.addresses.site, kinds: call.context.kinds }, ancestors),
  );
  if (!isDraft) {
    address.searchParams.set('preview_id', String(previewed.id));
    address.searchParams.set('preview_nonce', signForm(call.context, `preview ${previewed.id}`, String(row.authorId)));
  }
  address.searchParams.set('preview', 'true');
  return presentRevision(row, { call, kind, context, previewLink: address.href });
}
