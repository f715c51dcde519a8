import { and, eq } from 'drizzle-orm';
import type { ContentRoutes } from '#contracts/core/index.ts';
import type { AnswerOf } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { forgetRow } from '../answer-item.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { mayEdit } from '../content-rights.ts';
import { loadSite, relocate, toSiteTime, type Site } from '#origin/platform/site/index.ts';
import { writeContent } from '../write-content.ts';
import { filterWritten } from '../writing/filter-written.ts';
import { mergeMeta } from '../writing/merge-meta.ts';
import { cannotEdit } from '../writing/permit-writing.ts';
import { changeRow, loadForWriting } from '../writing/update-content.ts';
import { wrongMetaError } from '../writing/wrong-meta-error.ts';
import type { WritingItemCall } from '../writing/written-content.ts';
import { showAutosave } from './answer-autosaves.ts';
import { answerState } from './answer-state.ts';
import { autosaveSlug, keptMeta } from '../keep-revision.ts';
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
    const parent = await loadForWriting(tx, call, kind, params.id);
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
  const settle = (text: string) => relocate(text, addresses.site, site.url ?? addresses.site);
  const { meta, wrongKey } = mergeMeta(kind.metaKeys, {}, body.meta ?? {});
  if (wrongKey !== undefined) throw wrongMetaError(wrongKey, call);
  const kept = keptMeta(meta);
  return {
    ...(body.title === undefined ? {} : { title: body.title.trim() }),
    ...(body.content === undefined ? {} : { content: settle(body.content) }),
    ...(body.excerpt === undefined ? {} : { excerpt: settle(body.excerpt) }),
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
