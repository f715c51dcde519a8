import { and, eq } from 'drizzle-orm';
import type { ImportOutcome, ImportRecord } from '#contracts/index.ts';
import { comment as commentContract, commentStatus } from '#contracts/core/index.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { comment } from '#origin/platform/store/schema.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { digestOf } from './digest-row.ts';
import type { ImportScope } from './import-scope.ts';
import { findImported, findOwnId, rememberImported } from './imported-rows.ts';
import { keepId } from './keep-id.ts';
import { readHomePage } from './read-home-page.ts';
import { readWire, storedTime } from './read-wire.ts';
import { rewriteAddresses } from './rewrite-addresses.ts';

/** Writes a comment. One about what did not come over has no place here. */
export async function putComment(
  scope: ImportScope,
  { id, digest, wire }: ImportRecord,
): Promise<Omit<ImportOutcome, 'id'>> {
  const told = readWire(commentContract, wire);
  const { site } = scope.source;
  // Anybody may have written it: it is filtered here, whatever the other site does.
  const filtered = (await runAside('filter', told.content.raw ?? told.content.rendered)).trim();
  return writeContent(scope.context.store.db, async (tx) => {
    const [known] = await findImported(tx, site, 'comment', [id]);
    if (known?.digest === digest) return { outcome: 'unchanged' };
    const [own] = known ? await tx.select().from(comment).where(eq(comment.id, known.ownId)) : [];
    if (known && !own) return { outcome: 'kept', note: 'was deleted here' };
    if (own && digestOf(own) !== known?.ownDigest) return { outcome: 'kept', note: 'was changed here' };
    const contentId = await findOwnId(tx, site, ['post', 'page', 'media'], told.post);
    if (contentId === undefined) return { outcome: 'refused', note: `is about ${told.post}, which did not come` };
    const status = commentStatus.safeParse(told.status === 'approve' ? 'approved' : told.status);
    if (!status.success)
      return { outcome: 'refused', note: `has the status "${told.status}", which is not known here` };
    if (told.type !== 'comment') return { outcome: 'refused', note: `is a ${told.type}, not a comment` };
    if (filtered === '') return { outcome: 'refused', note: 'has no text' };
    const { text } = await rewriteAddresses(tx, scope, { text: filtered });
    const values = {
      contentId,
      // What it answers stays: a second answer to that could close a circle.
      parentId: own?.parentId ?? (await findParent(tx, site, told.parent, contentId)),
      authorId: told.author > 0 ? ((await findOwnId(tx, site, ['user'], told.author)) ?? 0) : 0,
      authorName: plainText(told.author_name),
      authorEmail: told.author_email ?? '',
      authorUrl: readHomePage(told.author_url),
      text,
      status: status.data,
      date: storedTime(told.date),
      dateGmt: storedTime(told.date_gmt),
    };
    const [row] = own
      ? await tx.update(comment).set(values).where(eq(comment.id, own.id)).returning()
      : await tx
          .insert(comment)
          .values({ ...(await keepId(tx, comment, id)), ...values })
          .returning();
    if (!row) throw new Error('The store did not return the comment it wrote.');
    const base = { source: site, kind: 'comment', sourceId: id, ownId: row.id, digest, ownDigest: digestOf(row) };
    await rememberImported(tx, [base]);
    return { outcome: own ? 'updated' : 'added' };
  });
}

/** The comment that one answers, if it came and is about the same; else 0. */
async function findParent(tx: Transaction, site: string, told: number, contentId: number): Promise<number> {
  const id = told > 0 ? await findOwnId(tx, site, ['comment'], told) : undefined;
  if (id === undefined) return 0;
  const isAnswered = and(eq(comment.id, id), eq(comment.contentId, contentId));
  const [parent] = await tx.select({ id: comment.id }).from(comment).where(isAnswered).limit(1);
  return parent?.id ?? 0;
}
