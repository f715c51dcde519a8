import { z } from 'zod';
import { postRevision } from '#contracts/core/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { autosaveSlug, keptMeta, revisionSlug } from '#origin/platform/content/keep-revision.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { findReferences } from './find-references.ts';
import type { ImportScope } from './import-scope.ts';
import { findImported, rememberImported } from './imported-rows.ts';
import { keepId } from './keep-id.ts';
import { readWire, storedTime } from './read-wire.ts';
import { rewriteAddresses } from './rewrite-addresses.ts';

/** Writes the states that a row was in, those that are not here yet, the oldest first. */
export async function putRevisions(
  tx: Transaction,
  scope: ImportScope,
  parent: ContentRow,
  wires: readonly unknown[],
): Promise<string[]> {
  const told = readWire(z.array(postRevision), wires).toSorted((a, b) => a.id - b.id);
  const ids = told.map(({ id }) => id);
  const known = new Set((await findImported(tx, scope.source.site, 'revision', ids)).map(({ sourceId }) => sourceId));
  for (const revision of told.filter(({ id }) => !known.has(id))) {
    const author = { authorId: revision.author, featuredMedia: 0, parentId: 0 };
    const { columns } = await findReferences(tx, scope, author);
    const texts = await rewriteAddresses(tx, scope, {
      content: revision.content.raw ?? '',
      excerpt: revision.excerpt.raw ?? '',
    });
    const meta = Object.entries(revision.meta).filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string' && entry[1] !== '';
    });
    const [added] = await tx
      .insert(content)
      .values({
        ...(await keepId(tx, content, revision.id)),
        type: 'revision',
        status: 'inherit',
        slug: revision.slug.includes('autosave') ? autosaveSlug(parent.id) : revisionSlug(parent.id),
        parentId: parent.id,
        authorId: columns.authorId,
        title: revision.title.raw ?? revision.title.rendered,
        ...texts,
        meta: keptMeta(Object.fromEntries(meta)),
        date: storedTime(revision.date),
        dateGmt: storedTime(revision.date_gmt),
        modified: storedTime(revision.modified),
        modifiedGmt: storedTime(revision.modified_gmt),
      })
      .returning({ id: content.id });
    if (!added) throw new Error('The store did not return the revision it added.');
    const { site } = scope.source;
    await rememberImported(tx, [{ source: site, kind: 'revision', sourceId: revision.id, ownId: added.id }]);
  }
  return [];
}
