import { and, eq, inArray } from 'drizzle-orm';
import type { z } from 'zod';
import { comment as resource, getComment, listComments } from '#contracts/core/comment-routes.ts';
import { getUser } from '#contracts/core/user-routes.ts';
import type { Context } from '#contracts/core/field.ts';
import { fillPath } from '#contracts/index.ts';
import { avatarUrls } from '#origin/platform/accounts/users.ts';
import { getContentUrl } from '#origin/platform/content/content-url.ts';
import type { Links } from '#origin/platform/content/content-view.ts';
import { presentTexts } from '#origin/platform/http/present-fields.ts';
import type { AnyCall, SelectedFields } from '#origin/platform/http/transport/call.ts';
import { getKind } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import { comment } from '#origin/platform/store/schema.ts';
import { type CommentRow, isModerator, loadThreads, type Threads } from './find-comments.ts';

type PresentedComment = SelectedFields<z.input<typeof resource>>;

interface CommentView {
  call: AnyCall;
  context: Context;
  site: Site;
  threads: Threads;
  /** IDs of comments with approved replies. */
  repliedTo: ReadonlySet<number>;
}

/** Converts a comment to JSON. */
export async function presentComment(
  row: CommentRow,
  call: AnyCall,
  context: Context,
  loaded?: Threads,
): Promise<PresentedComment> {
  return present(row, await loadView([row], call, context, loaded));
}

/** Converts comments to JSON. Their posts are loaded with one query. */
export async function presentComments(
  rows: readonly CommentRow[],
  call: AnyCall,
  context: Context,
  loaded?: Threads,
): Promise<PresentedComment[]> {
  const view = await loadView(rows, call, context, loaded);
  const shown: PresentedComment[] = [];
  for (const row of rows) shown.push(await present(row, view));
  return shown;
}

async function loadView(
  rows: readonly CommentRow[],
  call: AnyCall,
  context: Context,
  loaded?: Threads,
): Promise<CommentView> {
  const { db } = call.context.store;
  const [site, threads, repliedTo] = await Promise.all([
    loadSite(call),
    loaded ??
      loadThreads(
        db,
        rows.map(({ contentId }) => contentId),
        call.requestMemo,
      ),
    call.fields.wants('_links') ? findRepliedTo(call, rows) : new Set<number>(),
  ]);
  return { call, context, site, threads, repliedTo };
}

async function findRepliedTo(call: AnyCall, rows: readonly CommentRow[]): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const ids = rows.map(({ id }) => id);
  const found = await call.requestMemo.gather('answered', ids, async (all) => {
    const repliedTo = await call.context.store.db
      .selectDistinct({ id: comment.parentId })
      .from(comment)
      .where(and(inArray(comment.parentId, all), eq(comment.status, 'approved')));
    return new Map(repliedTo.map(({ id }) => [id, true]));
  });
  return new Set(found.keys());
}

function present(row: CommentRow, view: CommentView): Promise<PresentedComment> {
  const { call, context, site, threads } = view;
  const localize = (text: string) => replaceSiteUrl(text, site.url, call.addresses.site);
  const thread = threads.byId.get(row.contentId);
  const text = localize(row.text);
  return presentTexts(
    resource,
    {
      id: () => row.id,
      post: () => row.contentId,
      parent: () => row.parentId,
      author: () => row.authorId,
      author_name: () => row.authorName,
      author_email: () => row.authorEmail,
      author_url: () => localize(row.authorUrl),
      author_ip: () => '',
      author_user_agent: () => '',
      date: () => formatTime(row.date),
      date_gmt: () => formatTime(row.dateGmt),
      content: async () => ({
        rendered: await runTextJob('paragraphs', text),
        ...(context === 'edit' ? { raw: text } : {}),
      }),
      link: () => {
        const page = thread
          ? getContentUrl(thread, { site: call.addresses.site, kinds: call.context.kinds }, threads.ancestors)
          : `${call.addresses.site}/`;
        return `${page}#comment-${row.id}`;
      },
      status: () => row.status,
      type: () => 'comment',
      author_avatar_urls: () => (site.avatars ? avatarUrls(row.authorEmail) : undefined),
      // Block notes have a status. Comments do not.
      meta: () => ({ _wp_note_status: null }),
      _links: () => linkComment(row, view),
    },
    view,
  );
}

function linkComment(row: CommentRow, { call, threads, repliedTo }: CommentView): Links {
  const href = (path: string) => call.addresses.rest(path);
  const thread = threads.byId.get(row.contentId);
  const allow = call.methodsOn(getComment.path).filter((method) => method === 'GET' || isModerator(call.caller));
  const links: Links = {
    self: [{ href: href(fillPath(getComment.path, { id: row.id })), targetHints: { allow } }],
    collection: [{ href: href(listComments.path) }],
  };
  if (row.authorId !== 0)
    links['author'] = [{ embeddable: true, href: href(fillPath(getUser.path, { id: row.authorId })) }];
  if (thread)
    links['up'] = [
      {
        embeddable: true,
        post_type: thread.type,
        href: href(`${getKind(thread, call.context.kinds).base}/${thread.id}`),
      },
    ];
  if (row.parentId !== 0)
    links['in-reply-to'] = [{ embeddable: true, href: href(fillPath(getComment.path, { id: row.parentId })) }];
  if (repliedTo.has(row.id))
    links['children'] = [{ embeddable: true, href: `${href(listComments.path)}?parent=${row.id}` }];
  return links;
}

/** Formats a stored time as `2026-11-21T10:00:00`. */
function formatTime(stored: string): string {
  return stored.slice(0, 19).replace(' ', 'T');
}
