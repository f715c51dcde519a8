import { and, eq } from 'drizzle-orm';
import type { ContentRoutes } from '#contracts/core/routes.ts';
import type { Context } from '#contracts/core/field.ts';
import { signForm } from '#origin/platform/accounts/signed-forms.ts';
import { type ResultOf, item, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { evictRow, findRow } from '../get-item.ts';
import { canEdit } from '../content-rights.ts';
import { getContentUrl } from '../content-url.ts';
import { loadAncestors } from '../load-ancestors.ts';
import { writeContent, autosaveSlug, pickRevisionMeta } from '../write-content.ts';
import { filterInput, mergeMeta, wrongMetaError } from '../writing/check-writing.ts';
import { createCannotEditError } from '../writing/authorize-writing.ts';
import type { WritingItemCall } from '../writing/plan-content.ts';
import { updateRow, loadForUpdate } from '../writing/update-content.ts';
import { revisionResult, presentRevision, type PresentedRevision } from './content-revisions.ts';
import { findAutosaves } from './load-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

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
  const site = await loadSite(call);
  return presentRevision(row, { call, kind, context, site, previewLink: address.href });
}
