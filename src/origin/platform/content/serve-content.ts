import type { z } from 'zod';
import type { ContentRoutes } from '#contracts/core/routes.ts';
import {
  type Call,
  item,
  type ResultOf,
  type AnyCall,
  type ParameterCheck,
} from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { deniedStatus } from '#origin/platform/http/transport/rest-error.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { getItem, authorizeItem, evictRow, findRow } from './get-item.ts';
import { listContent, type ListOptions } from './list-content.ts';
import { type ContentFilter, sharedFilter } from './find-content.ts';
import { authorizeList, canEdit } from './content-rights.ts';
import {
  getContentRevision,
  listContentRevisions,
  presentRevision,
  revisionResult,
  type PresentedRevision,
} from './revisions/content-revisions.ts';
import {
  authorizeRevisionReading,
  authorizeRevisionDeletion,
  loadRevision,
  revisionKey,
  findAutosaves,
  type RevisionKind,
} from './revisions/load-revision.ts';
import { writingChecks, filterInput, mergeMeta, wrongMetaError } from './writing/check-writing.ts';
import { createContent, type Present } from './writing/create-content.ts';
import { deleteContent } from './writing/delete-content.ts';
import {
  authorizeCreation,
  authorizeDeletion,
  authorizeUpdate,
  createCannotEditError,
  type WritingItemCall,
} from './writing/plan-content.ts';
import { updateContent, updateRow, loadForUpdate } from './writing/update-content.ts';
import { eq, and } from 'drizzle-orm';
import type { RouteErrors } from '#contracts/index.ts';
import { presentPrevious } from '#origin/platform/http/present-fields.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import { content } from '#origin/platform/store/schema.ts';
import { writeContent, autosaveSlug, pickRevisionMeta } from './write-content.ts';
import type { Context } from '#contracts/core/field.ts';
import { signForm } from '#origin/platform/accounts/account-page.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { getContentUrl, loadAncestors } from './content-url.ts';
import { splitList } from '#contracts/wire.ts';
import { can } from '#origin/platform/http/callers/caller.ts';

/** A content kind with its routes and presenter. */
export interface ServedKind<R extends ContentRoutes = ContentRoutes> extends ContentKind {
  routes: R;
  present: Present<z.input<R['get']['response']>>;
  /** Additional conditions and options of a list. */
  list?(call: Call<R['list']>): Promise<ListExtras> | ListExtras;
}

export interface ListExtras extends Pick<ListOptions<unknown>, 'asTree' | 'arrange'> {
  filter?: Partial<ContentFilter>;
}

/** Registers the routes of a content kind: rows, revisions and autosaves. */
export function serveContent(registry: RouteRegistry, kind: ServedKind): void {
  const { routes, present } = kind;
  const checks = writingChecks(kind);

  registry.serve(
    routes.list,
    async (call) => {
      const { query } = call;
      const { filter, ...extras } = (await kind.list?.(call)) ?? {};
      const shared = await sharedFilter(kind.type, query, call);
      return listContent(call, { kind, query, filter: { ...shared, ...filter }, present, ...extras });
    },
    { permit: authorizeList(kind), checks: { status: checkStatus(kind) } },
  );
  registry.serve(routes.create, (call) => createContent(call, kind, present), {
    permit: authorizeCreation(kind),
    checks,
  });
  registry.serve(routes.get, (call) => getItem(call, kind, present), { permit: authorizeItem(kind) });
  registry.serve(routes.update, (call) => updateContent(call, kind, present), {
    permit: authorizeUpdate(kind),
    checks,
  });
  registry.serve(routes.remove, (call) => deleteContent(call, kind, present), { permit: authorizeDeletion(kind) });

  registry.serve(routes.listRevisions, (call) => listContentRevisions(call, kind), {
    permit: (call) => authorizeRevisionReading(call, kind, call.params.parent),
  });
  registry.serve(routes.getRevision, (call) => getContentRevision(call, kind), {
    permit: (call) => authorizeRevisionReading(call, kind, call.params.parent),
  });
  registry.serve(routes.removeRevision, (call) => deleteRevision(call, kind), {
    permit: (call) => authorizeRevisionDeletion(call, kind),
  });

  registry.serve(routes.listAutosaves, (call) => listContentAutosaves(call, kind), {
    permit: (call) => authorizeRevisionReading(call, kind, call.params.id),
  });
  registry.serve(routes.saveAutosave, (call) => saveAutosave(call, kind), { permit: authorizeUpdate(kind), checks });
  registry.serve(routes.getAutosave, (call) => getContentAutosave(call, kind), {
    permit: (call) => authorizeRevisionReading(call, kind, call.params.parent),
  });
}

/** Deletes a revision and returns its former state. Revisions have no trash, so `force` is required. */
async function deleteRevision(
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
  const shown = await presentRevision(row, { call, kind, context: 'view', site: await loadSite(call) });
  await writeContent(context.store.db, (tx) => tx.delete(content).where(eq(content.id, row.id)));
  call.memo.forget(revisionKey(row.id));
  return item({ deleted: true, previous: presentPrevious(shown, row.id, call) });
}

/** Changed texts as stored. */
type Texts = Partial<Pick<ContentRow, 'title' | 'content' | 'excerpt' | 'meta'>>;

/**
 * Saves a user's unsaved text. The user's own drafts are saved in place; for other rows the user has a single
 * autosave, which is overwritten. Other fields are validated but not stored.
 */
async function saveAutosave(
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
  evictRow(call, { type: kind.type, id: params.id });
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
  const [added] = await tx
    .insert(content)
    .values({ type: 'revision', status: 'inherit', slug, parentId: parent.id, authorId: userId, ...values })
    .returning();
  if (!added) throw new Error('The store did not return the added autosave.');
  return added;
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
async function listContentAutosaves(
  call: Call<ContentRoutes['listAutosaves']>,
  kind: RevisionKind,
): Promise<ResultOf<ContentRoutes['listAutosaves']>> {
  const rows = await findAutosaves(call.context.store.db, call.params.id);
  return item(await Promise.all(rows.map((row) => presentAutosave(call, kind, row, call.query.context))));
}

/** Gets the latest autosave of a row. The ID in the path is ignored. */
async function getContentAutosave(
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
  const site = await loadSite(call);
  return presentRevision(row, { call, kind, context, site, previewLink: address.href });
}

/**
 * Allows the default status for all callers. Other statuses require the right to edit this kind of content; `private`
 * also allows the right to read private content. Checked before the status itself is validated.
 */
export function checkStatus(kind: ContentKind): ParameterCheck {
  const publicStatus = kind.isFile ? 'inherit' : 'publish';
  return (raw, { caller }) => {
    const statuses = [splitList(raw)].flat();
    const isAllowed = statuses.every(
      (status) =>
        status === publicStatus ||
        can(caller, kind.rights.edit) ||
        (status === 'private' && can(caller, kind.rights.readPrivate)),
    );
    if (isAllowed) return undefined;
    return {
      code: 'rest_forbidden_status',
      text: 'You are not allowed to query this status.',
      data: { status: deniedStatus(caller) },
    };
  };
}
