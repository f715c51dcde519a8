import { and, eq } from 'drizzle-orm';
import type { ContentRoutes, Context } from '#contracts/core/index.ts';
import { signForm } from '#origin/platform/accounts/index.ts';
import { type AnswerOf, item, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite, relocate, toSiteTime, type Site } from '#origin/platform/site/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { forgetRow, findRow } from '../answer-item.ts';
import { mayEdit } from '../content-rights.ts';
import { linkContent } from '../link-content.ts';
import { loadAncestors } from '../load-ancestors.ts';
import { writeContent, autosaveSlug, keptMeta } from '../write-content.ts';
import { filterWritten, mergeMeta, wrongMetaError } from '../writing/check-writing.ts';
import { cannotEdit } from '../writing/permit-writing.ts';
import type { WritingItemCall } from '../writing/plan-content.ts';
import { changeRow, loadForUpdate } from '../writing/update-content.ts';
import { answerState, presentRevision, type ShownRevision } from './answer-revisions.ts';
import { findAutosaves } from './load-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

/** The texts that were sent, as they will be stored. */
type Texts = Partial<Pick<ContentRow, 'title' | 'content' | 'excerpt' | 'meta'>>;

/**
 * Keeps what a user has typed. A draft of their own is saved in place; of anything else the user has one autosave,
 * which each new one replaces. What is no text is checked and goes no further.
 */
export async function saveAutosave(
  call: WritingItemCall,
  kind: RevisionKind,
): Promise<AnswerOf<ContentRoutes['saveAutosave']>> {
  const { caller, context, params } = call;
  const site = await loadSite(call);
  const userId = caller.user?.id ?? 0;
  const body = await filterWritten(call.body, caller);
  const row = await writeContent(context.store.db, async (tx) => {
    const parent = await loadForUpdate(tx, call, kind, params.id);
    if (!mayEdit(parent, caller)) throw cannotEdit(call);
    const texts = readTexts({ ...call, body }, kind, site);
    const now = timesOf(new Date(), site);
    const isOwnDraft = (parent.status === 'draft' || parent.status === 'auto-draft') && parent.authorId === userId;
    if (isOwnDraft) {
      const floats = parent.dateGmt === null ? { date: now.modified } : {};
      const meta = { ...parent.meta, ...texts.meta };
      return changeRow(tx, parent, { ...texts, ...floats, ...now, meta }, { kind });
    }
    return putAutosave(tx, parent, texts, { userId, now });
  });
  forgetRow(call, { type: kind.type, id: params.id });
  return answerState(call, row, await showAutosave(call, kind, row, 'edit'));
}

async function putAutosave(
  tx: Transaction,
  parent: ContentRow,
  texts: Texts,
  { userId, now }: { userId: number; now: ReturnType<typeof timesOf> },
): Promise<ContentRow> {
  const slug = autosaveSlug(parent.id);
  const [present] = await tx
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
  if (present && saysNothingNew(texts, parent)) return present;
  const values = {
    title: texts.title ?? '',
    content: texts.content ?? '',
    excerpt: texts.excerpt ?? '',
    meta: texts.meta ?? {},
    date: now.modified,
    dateGmt: now.modifiedGmt,
    ...now,
  };
  if (present) {
    await tx.update(content).set(values).where(eq(content.id, present.id));
    return { ...present, ...values };
  }
  const [added] = await tx
    .insert(content)
    .values({ type: 'revision', status: 'inherit', slug, parentId: parent.id, authorId: userId, ...values })
    .returning();
  if (!added) throw new Error('The store did not return the autosave it added.');
  return added;
}

function readTexts(call: WritingItemCall, kind: RevisionKind, site: Site): Texts {
  const { body, addresses } = call;
  const toSiteLinks = (text: string) => relocate(text, addresses.site, site.url ?? addresses.site);
  const { meta, wrongKey } = mergeMeta(kind.metaKeys, {}, body.meta ?? {});
  if (wrongKey !== undefined) throw wrongMetaError(wrongKey, call);
  const kept = keptMeta(meta);
  return {
    ...(body.title === undefined ? {} : { title: body.title.trim() }),
    ...(body.content === undefined ? {} : { content: toSiteLinks(body.content) }),
    ...(body.excerpt === undefined ? {} : { excerpt: toSiteLinks(body.excerpt) }),
    ...(Object.keys(kept).length === 0 ? {} : { meta: kept }),
  };
}

function saysNothingNew(texts: Texts, parent: ContentRow): boolean {
  const { meta = {}, ...words } = texts;
  const names = ['title', 'content', 'excerpt'] as const;
  return (
    names.every((name) => words[name] === undefined || words[name] === parent[name]) &&
    Object.entries(meta).every(([key, value]) => value === (parent.meta[key] ?? ''))
  );
}

function timesOf(now: Date, { timezone }: Site) {
  return { modified: toSiteTime(now, timezone), modifiedGmt: toSiteTime(now, 'UTC') };
}

/** What every user has typed into a row and not saved yet. */
export async function answerAutosaves(
  call: Call<ContentRoutes['listAutosaves']>,
  kind: RevisionKind,
): Promise<AnswerOf<ContentRoutes['listAutosaves']>> {
  const rows = await findAutosaves(call.context.store.db, call.params.id);
  return item(await Promise.all(rows.map((row) => showAutosave(call, kind, row, call.query.context))));
}

/** The newest autosave of a row; the id behind it in the path tells nothing. */
export async function answerAutosave(
  call: Call<ContentRoutes['getAutosave']>,
  kind: RevisionKind,
): Promise<AnswerOf<ContentRoutes['getAutosave']>> {
  const [newest] = await findAutosaves(call.context.store.db, call.params.parent);
  if (!newest) throw call.refuse('rest_post_no_autosave', 'Nobody has typed anything that is not saved.');
  return answerState(call, newest, await showAutosave(call, kind, newest, call.query.context));
}

/** An autosave with the address under which it can be looked at; so too a draft that was saved in place. */
async function showAutosave(
  call: AnyCall,
  kind: RevisionKind,
  row: ContentRow,
  context: Context,
): Promise<ShownRevision> {
  const isDraft = row.type !== 'revision';
  const shown = (isDraft ? undefined : await findRow(call, kind, row.parentId)) ?? row;
  const ancestors = await loadAncestors(call.context.store.db, [shown]);
  const address = new URL(linkContent(shown, { site: call.addresses.site, kinds: call.context.kinds }, ancestors));
  if (!isDraft) {
    address.searchParams.set('preview_id', String(shown.id));
    address.searchParams.set('preview_nonce', signForm(call.context, `preview ${shown.id}`, String(row.authorId)));
  }
  address.searchParams.set('preview', 'true');
  const site = await loadSite(call);
  return presentRevision(row, { call, kind, context, site, previewLink: address.href });
}
