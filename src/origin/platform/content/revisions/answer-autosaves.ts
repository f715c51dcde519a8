import type { ContentRoutes, Context } from '#contracts/core/index.ts';
import { signForm } from '#origin/platform/accounts/index.ts';
import { item, type AnswerOf, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { findRow } from '../answer-item.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { linkContent } from '../link-content.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { loadAncestors } from '../load-ancestors.ts';
import { answerState } from './answer-state.ts';
import { findAutosaves } from './load-revision.ts';
import { presentRevision, type ShownRevision } from './present-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

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
export async function showAutosave(
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
