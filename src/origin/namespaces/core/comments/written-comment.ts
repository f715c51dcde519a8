import { eq } from 'drizzle-orm';
import { MAX_COMMENT_BYTES } from '#contracts/core/index.ts';
import type { UserRow } from '#origin/platform/accounts/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { user } from '#origin/platform/store/schema.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { readWireMoment, toSiteTime, type Site } from '#origin/platform/site/index.ts';
import type { CommentRow } from './find-comments.ts';
import type { WrittenComment } from './permit-comment-writing.ts';

type Authorship = Pick<CommentRow, 'authorId' | 'authorName' | 'authorEmail' | 'authorUrl'>;

/** A text as it is stored: filtered, whoever writes it. @throws when nothing is left of it, or too much */
export async function readText(
  sent: string | undefined,
  { caller, refuse }: AnyCall<'rest_comment_content_invalid' | 'comment_content_column_length'>,
): Promise<string> {
  const filter = can(caller, 'unfiltered_html') ? 'filter' : 'filterInline';
  // Filtering is work: what is far beyond the limit isn't worth it.
  const text = (sent ?? '').length > 2 * MAX_COMMENT_BYTES ? (sent ?? '') : (await runAside(filter, sent ?? '')).trim();
  if (text === '') throw refuse('rest_comment_content_invalid', 'A comment needs a text.');
  if (Buffer.byteLength(text) > MAX_COMMENT_BYTES)
    throw refuse('comment_content_column_length', `A comment has at most ${MAX_COMMENT_BYTES} bytes.`);
  return text;
}

/** The name of who has no account. */
export function readAuthorFields({ author_name: name, author_email: email, author_url: url }: WrittenComment) {
  return {
    ...(name === undefined ? {} : { authorName: plainText(name) }),
    ...(email === undefined ? {} : { authorEmail: email.toLowerCase() }),
    ...(url === undefined ? {} : { authorUrl: url }),
  };
}

/** A user's names, as they are kept with what the user writes. @throws when there is no such user */
export async function authorshipOf(
  tx: Transaction,
  { refuse }: AnyCall<'rest_comment_invalid_author'>,
  authorId: number,
): Promise<Authorship> {
  const [row] = await tx.select().from(user).where(eq(user.id, authorId)).limit(1);
  if (!row) throw refuse('rest_comment_invalid_author', 'There is no user under the id in author.', { status: 400 });
  return signedBy(row);
}

export function signedBy({ id, name, email, url }: UserRow): Authorship {
  return { authorId: id, authorName: name, authorEmail: email, authorUrl: url };
}

/** When it was written: now, unless something else was sent. */
export function readDates(sent: Pick<WrittenComment, 'date' | 'date_gmt'>, { timezone }: Site) {
  const moment =
    (sent.date === undefined ? undefined : readWireMoment(sent.date, timezone)) ??
    (sent.date_gmt === undefined ? undefined : readWireMoment(sent.date_gmt, 'UTC')) ??
    new Date();
  return { date: toSiteTime(moment, timezone), dateGmt: toSiteTime(moment, 'UTC') };
}
