import type { Context } from '#contracts/core/index.ts';
import { signForm } from '#origin/platform/accounts/index.ts';
import { item, RestError, type Answer, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { loadRow } from '../answer-item.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { linkContent } from '../link-content.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { loadAncestors } from '../load-ancestors.ts';
import { answerState } from './answer-state.ts';
import { findAutosaves } from './load-revision.ts';
import { presentRevision } from './present-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

/** What every user has typed into a row and not saved yet. */
export async function answerAutosaves(
  call: AnyCall & { params: { id: number }; query: { context: Context } },
  kind: RevisionKind,
): Promise<Answer> {
  const rows = await findAutosaves(call.context.store.db, call.params.id);
  return item(await Promise.all(rows.map((row) => showAutosave(call, kind, row, call.query.context))));
}

/** The newest autosave of a row; the id behind it in the path tells nothing. */
export async function answerAutosave(
  call: AnyCall & { params: { parent: number }; query: { context: Context } },
  kind: RevisionKind,
): Promise<Answer> {
  const [newest] = await findAutosaves(call.context.store.db, call.params.parent);
  if (!newest) throw new RestError('rest_post_no_autosave', 404, 'Nobody has typed anything that is not saved.');
  return answerState(call, newest, await showAutosave(call, kind, newest, call.query.context));
}

/** An autosave with the address under which it can be looked at; so too a draft that was saved in place. */
export async function showAutosave(
  call: AnyCall,
  kind: RevisionKind,
  row: ContentRow,
  context: Context,
): Promise<Record<string, unknown>> {
  const isDraft = row.type !== 'revision';
  const shown = isDraft ? row : await loadRow(call, kind, row.parentId);
  const ancestors = await loadAncestors(call.context.store.db, [shown]);
  const address = new URL(linkContent(shown, { site: call.addresses.site, kinds: call.context.kinds }, ancestors));
  if (!isDraft) {
    address.searchParams.set('preview_id', String(shown.id));
    address.searchParams.set('preview_nonce', signForm(call.context, `preview ${shown.id}`, String(row.authorId)));
  }
  address.searchParams.set('preview', 'true');
  const site = await loadSite(call);
  return presentRevision(row, { call: call as Call, kind, context, site, previewLink: address.href });
}
