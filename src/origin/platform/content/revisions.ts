import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Context } from '#contracts/core/field.ts';
import type { ContentRoutes, postRoutes } from '#contracts/core/routes.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
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
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import {
  authorizeUpdate,
  canDelete,
  canEdit,
  contentRows,
  isReadableBy,
  createCannotDeleteError,
  createCannotEditError,
  writingChecks,
  type WritingItemCall,
} from './content-rights.ts';
import { getContentUrl, loadAncestors } from './content-url.ts';
import { matchesContentSearch, orderContent } from './find-content.ts';
import { rejectInvalidOrder } from './read-content.ts';
import { findRows, matchesList, readWindow } from './resources/find-rows.ts';
import { findRow, insertRow, loadRow, lockRow, writeContent } from './resources/resource.ts';
import { revisedFields } from './present-content.ts';
import {
  autosaveSlug,
  findStates,
  hasTexts,
  pickRevisionMeta,
  updateRow,
  type RevisedTexts,
} from './writing/write-content.ts';
import { filterInput, mergeMeta, wrongMetaError } from './writing/plan-content.ts';

type RevisionKind = ContentKind & { routes: ContentRoutes };

/** Registers the routes of the revisions and autosaves of a content kind. */
export function serveRevisions(registry: RouteRegistry, kind: RevisionKind): void {
  const { routes } = kind;
  const serveReading = registry.with({
    permit: (call: ReadingCall & { params: { parent: number } }) => authorizeReading(call, kind, call.params.parent),
  });
  serveReading(routes.listRevisions, (call) => listRevisions(call, kind));
  serveReading(routes.getRevision, (call) => getRevision(call, kind));
  registry.serve(routes.removeRevision, (call) => deleteRevision(call, kind), {
    permit: (call) => authorizeRevisionDeletion(call, kind),
  });
  registry.serve(
    routes.listAutosaves,
    async (call) => {
      const rows = await findAutosaves(call, call.params.id);
      return item(await Promise.all(rows.map((row) => presentAutosave(call, kind, row, call.query.context))));
    },
    { permit: (call) => authorizeReading(call, kind, call.params.id) },
  );
  registry.serve(routes.saveAutosave, (call) => saveAutosave(call, kind), {
    permit: (call) => authorizeUpdate(call, kind),
    checks: writingChecks(kind),
  });
  serveReading(routes.getAutosave, async (call) => {
    // The ID in the path is ignored.
    const [newest] = await findAutosaves(call, call.params.parent);
    if (!newest) throw call.refuse('rest_post_no_autosave', 'There is no autosave for this item.');
    return revisionResult(call, newest, await presentAutosave(call, kind, newest, call.query.context));
  });
}

/** Lists all revisions of a row, or one page of them. */
async function listRevisions(call: Call<ContentRoutes['listRevisions']>, kind: RevisionKind) {
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
  const shown = await presentRows(rows, (row) => presentRevision(call, kind, row, query.context));
  return collection<Revision>(shown, total, { page, perPage: perPage ?? Math.max(total, 1) });
}

/** Gets one revision of the row in the path. */
async function getRevision(call: Call<ContentRoutes['getRevision']>, kind: RevisionKind) {
  const { params, query } = call;
  const row = await loadRow(call, REVISIONS, params.id);
  if (row.parentId !== params.parent)
    throw call.refuse(
      'rest_revision_parent_id_mismatch',
      `The revision does not belong to the item with the ID ${params.parent}.`,
    );
  return revisionResult(call, row, await presentRevision(call, kind, row, query.context));
}

/** Result with a revision or autosave. If its parent is selected, `_links` are included. */
function revisionResult(
  call: AnyCall,
  row: ContentRow,
  shown: SelectedFields<Revision>,
): ResultOf<ContentRoutes['getAutosave']> {
  const result: ResultOf<ContentRoutes['getAutosave']> = item(shown);
  return row.parentId === 0 || !call.fields.wants('parent') ? result : { ...result, keepsLinks: true };
}

type Revision = z.input<ContentRoutes['getAutosave']['response']>;

/** Presents a revision, or with the address of its preview an autosave or a draft that was saved in place. */
async function presentRevision(
  call: AnyCall,
  kind: RevisionKind,
  row: ContentRow,
  context: Context,
  previewLink?: string,
): Promise<SelectedFields<Revision>> {
  const site = await loadSite(call);
  const relocated = (text: string) => replaceSiteUrl(text, site.url, call.addresses.site);
  const withRaw = (raw: string, rendered: string) => (context === 'edit' ? { raw, rendered } : { rendered });
  const guid = `${call.addresses.site}/?p=${row.id}`;
  const excerpt = relocated(row.excerpt);
  const content = relocated(row.content);
  const { wants } = call.fields;
  const isExcerptShown = excerpt.trim() !== '' && wants('excerpt');
  const parent =
    row.parentId === 0 ? undefined : { parent: [{ href: call.addresses.rest(`${kind.base}/${row.parentId}`) }] };
  const fields = {
    ...revisedFields(row, site),
    parent: row.parentId,
    guid: withRaw(guid, guid),
    title: withRaw(row.title, texturise(row.title)),
    content: withRaw(content, wants('content') ? await runTextJob('content', content) : ''),
    // Generated excerpts are not shown.
    excerpt: withRaw(excerpt, isExcerptShown ? await runTextJob('paragraphs', excerpt) : ''),
    meta: Object.fromEntries(kind.metaKeys.map((key) => [key, row.meta[key] ?? ''])),
    preview_link: previewLink,
    _links: parent,
    // Each kind has some of these fields.
  } satisfies FieldValues<z.input<(typeof postRoutes)['getAutosave']['response']>>;
  const shown = presentFields(kind.routes.getAutosave.response, fields, { context, call });
  return parent && wants('parent') ? { ...shown, _links: parent } : shown;
}

const REVISIONS = {
  ...contentRows({ type: 'revision' }),
  unknownId: ['rest_post_invalid_id', 'No revision with this ID.'] as const,
};

/** Finds the autosaves of a row, latest first; at most one per user. */
function findAutosaves({ context }: Pick<AnyCall, 'context'>, parentId: number): Promise<ContentRow[]> {
  return findStates(context.store.db, parentId, autosaveSlug(parentId));
}

type ReadingCall = AnyCall<'rest_post_invalid_parent' | 'rest_cannot_read'>;

/** Authorizes reading revisions, which requires the right to edit their row. */
async function authorizeReading(call: ReadingCall, kind: RevisionKind, parentId: number): Promise<void> {
  const parent = await loadParent(call, kind, parentId);
  if (!canEdit(parent, call.caller))
    throw call.refuse('rest_cannot_read', 'You are not allowed to view the revisions of this item.');
}

type RemovalCall = Call<ContentRoutes['removeRevision']>;

/** Authorizes deletion, which requires the right to delete both the row in the path and the revision's actual row. */
async function authorizeRevisionDeletion(call: RemovalCall, kind: RevisionKind): Promise<void> {
  const { caller, params } = call;
  const parent = await loadParent(call, kind, params.parent);
  if (!canDelete(parent, caller)) throw createCannotDeleteError(call);
  const revision = await loadRow(call, REVISIONS, params.id);
  const owner = await findRow(call, contentRows(kind), revision.parentId);
  if (!owner || !canDelete(owner, caller)) throw createCannotDeleteError(call);
}

function loadParent(call: AnyCall<'rest_post_invalid_parent'>, kind: ContentKind, id: number): Promise<ContentRow> {
  const unknownId = ['rest_post_invalid_parent', 'No parent item with this ID.'] as const;
  return loadRow(call, { ...contentRows(kind), unknownId }, id);
}

/** Deletes a revision and returns its former state. Revisions have no trash, so `force` is required. */
async function deleteRevision(call: RemovalCall, kind: RevisionKind) {
  const { params, query, context } = call;
  const row = await loadRow(call, REVISIONS, params.id);
  if (!query.force)
    throw call.refuse('rest_trash_not_supported', 'Revisions have no trash. Send force=true to delete for good.');
  const shown = await presentRevision(call, kind, row, 'view');
  await writeContent(context.store.db, (tx) => tx.delete(content).where(eq(content.id, row.id)));
  return item<{ deleted: true; previous: Revision }>({ deleted: true, previous: presentPrevious(shown, row.id, call) });
}

/**
 * Saves a user's unsaved text. The user's own drafts are saved in place; for other rows the user has a single
 * autosave, which is overwritten. Other fields are validated but not stored.
 */
async function saveAutosave(call: WritingItemCall, kind: RevisionKind) {
  const { caller, context, params } = call;
  const site = await loadSite(call);
  const userId = caller.user?.id ?? 0;
  const body = await filterInput(call.body, caller);
  const row = await writeContent(context.store.db, async (tx) => {
    const parent = await lockRow(tx, call, contentRows(kind), params.id);
    if (!canEdit(parent, caller)) throw createCannotEditError(call);
    const texts = readTexts({ ...call, body }, kind, site);
    const now = timesOf(new Date(), site);
    const isOwnDraft = (parent.status === 'draft' || parent.status === 'auto-draft') && parent.authorId === userId;
    if (isOwnDraft) {
      const floats = parent.dateGmt === null ? { date: now.modified } : {};
      const meta = { ...parent.meta, ...texts.meta };
      return updateRow(tx, parent, { ...texts, ...floats, ...now, meta });
    }
    return upsertAutosave(tx, parent, texts, { userId, now });
  });
  return revisionResult(call, row, await presentAutosave(call, kind, row, 'edit'));
}

async function upsertAutosave(
  tx: Transaction,
  parent: ContentRow,
  texts: Partial<RevisedTexts>,
  { userId, now }: { userId: number; now: ReturnType<typeof timesOf> },
): Promise<ContentRow> {
  const slug = autosaveSlug(parent.id);
  const existing = (await findStates(tx, parent.id, slug)).find(({ authorId }) => authorId === userId);
  if (existing && hasTexts(parent, texts)) return existing;
  const empty = { title: '', content: '', excerpt: '', meta: {} };
  const values = { ...empty, ...texts, date: now.modified, dateGmt: now.modifiedGmt, ...now };
  if (existing) {
    await tx.update(content).set(values).where(eq(content.id, existing.id));
    return { ...existing, ...values };
  }
  const owner = { parentId: parent.id, authorId: userId };
  return insertRow(tx, content, { type: 'revision', status: 'inherit', slug, ...owner, ...values });
}

function readTexts(call: WritingItemCall, kind: RevisionKind, site: Site): Partial<RevisedTexts> {
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

function timesOf(now: Date, { timezone }: Site) {
  return { modified: toSiteTime(now, timezone), modifiedGmt: toSiteTime(now, 'UTC') };
}

/** Presents an autosave, or a draft that was saved in place, with its preview address. */
async function presentAutosave(
  call: AnyCall,
  kind: RevisionKind,
  row: ContentRow,
  context: Context,
): Promise<SelectedFields<Revision>> {
  const isDraft = row.type !== 'revision';
  const previewed = (isDraft ? undefined : await findRow(call, contentRows(kind), row.parentId)) ?? row;
  const ancestors = await loadAncestors(call.context.store.db, [previewed]);
  const base = { site: call.addresses.site, kinds: call.context.kinds };
  const address = new URL(getContentUrl(previewed, base, ancestors));
  if (!isDraft) {
    address.searchParams.set('preview_id', String(previewed.id));
    address.searchParams.set('preview_nonce', signForm(call.context, `preview ${previewed.id}`, String(row.authorId)));
  }
  address.searchParams.set('preview', 'true');
  return presentRevision(call, kind, row, context, address.href);
}
