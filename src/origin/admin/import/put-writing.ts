import { eq } from 'drizzle-orm';
import type { ImportOutcome, ImportRecord } from '#contracts/index.ts';
import { page, post, type Page, type Post } from '#contracts/core/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { linkContent } from '#origin/platform/content/link-content.ts';
import { relocate } from '#origin/platform/site/index.ts';
import { findFreeSlug } from '#origin/platform/content/find-free-slug.ts';
import { loadAncestors } from '#origin/platform/content/load-ancestors.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { assignTerms } from '#origin/platform/content/writing/assign-terms.ts';
import { tellReaders } from '#origin/platform/content/writing/tell-readers.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { digestContent } from './digest-row.ts';
import { findReferences } from './find-references.ts';
import type { ImportScope } from './import-scope.ts';
import { findImported, rememberImported } from './imported-rows.ts';
import { keepId } from './keep-id.ts';
import { loadUntouched } from './load-untouched.ts';
import { putRevisions } from './put-revisions.ts';
import { readWire, storedTime } from './read-wire.ts';
import { rewriteAddresses } from './rewrite-addresses.ts';

const TRASHED = '__trashed';

/** Writes a post or a page with its terms and its revisions. */
export function putWriting(type: 'post' | 'page') {
  const contract = type === 'post' ? post : page;
  return (scope: ImportScope, record: ImportRecord): Promise<Omit<ImportOutcome, 'id'>> => {
    const told: Post | Page = readWire(contract, record.wire);
    return writeContent(scope.context.store.db, async (tx) => {
      const { site } = scope.source;
      const [known] = await findImported(tx, site, type, [record.id]);
      if (known?.digest === record.digest) return { outcome: 'unchanged' };
      const found = known && (await loadUntouched(tx, known));
      if (found && 'note' in found) return { outcome: 'kept', note: found.note };
      const { row, waiting, notes } = await planRow(tx, scope, told, found?.row, type);
      const after = found ? await changeRow(tx, found.row, row) : await addRow(tx, scope, told, row);
      if ('categories' in told) notes.push(...(await putTerms(tx, scope, after.id, told)));
      const revisionNotes = await putRevisions(tx, scope, after, record.revisions ?? []);
      const ownDigest = await digestContent(tx, after);
      const { id: sourceId, digest } = record;
      await rememberImported(tx, [{ source: site, kind: type, sourceId, ownId: after.id, digest, ownDigest, waiting }]);
      await tellReaders(tx, found?.row, after);
      const note = [...notes, ...revisionNotes].join('; ');
      return { outcome: found ? 'updated' : 'added', ...(note !== '' && { note }) };
    });
  };
}

type NewRow = Omit<typeof content.$inferInsert, 'id'> & { slug: string };

async function planRow(
  tx: Transaction,
  scope: ImportScope,
  told: Post | Page,
  before: ContentRow | undefined,
  type: 'post' | 'page',
): Promise<{ row: NewRow; waiting: Record<string, number>; notes: string[] }> {
  const references = {
    authorId: told.author,
    featuredMedia: told.featured_media,
    parentId: 'parent' in told ? told.parent : 0,
  };
  const { columns, waiting } = await findReferences(tx, scope, references, before?.id);
  const texts = await rewriteAddresses(tx, scope, { content: told.content.raw ?? '', excerpt: told.excerpt.raw ?? '' });
  const isTrash = told.status === 'trash';
  const owner = { id: before?.id, type, parentId: columns.parentId, slug: told.slug };
  const slug = told.slug === '' ? '' : await findFreeSlug(tx, told.slug, owner);
  const { meta, lost } = readMeta(told.meta);
  const notes = [
    ...(slug === told.slug ? [] : [`its slug "${told.slug}" was taken: it is "${slug}" here`]),
    ...(lost.length === 0 ? [] : [`values of its meta that are no texts stayed behind: ${lost.join(', ')}`]),
  ];
  const date = storedTime(told.date ?? told.modified);
  // The interface doesn't say whether the date of a draft floats; one that floats is that of its last save.
  const floats = ['draft', 'pending', 'auto-draft'].includes(told.status) && told.date === told.modified;
  const row: NewRow = {
    type,
    status: told.status,
    slug,
    title: told.title.raw ?? told.title.rendered,
    ...texts,
    ...columns,
    password: told.password ?? '',
    menuOrder: 'menu_order' in told ? told.menu_order : 0,
    date,
    dateGmt: floats ? null : storedTime(told.date_gmt ?? told.modified_gmt),
    modified: storedTime(told.modified),
    modifiedGmt: storedTime(told.modified_gmt),
    commentStatus: told.comment_status,
    pingStatus: told.ping_status,
    format: 'format' in told && told.format !== 'standard' ? told.format : '',
    template: told.template,
    sticky: 'sticky' in told && told.sticky,
    meta,
    // The interface doesn't tell what it was before the trash either.
    statusBeforeTrash: isTrash ? 'draft' : '',
    slugBeforeTrash: isTrash && told.slug.endsWith(TRASHED) ? told.slug.slice(0, -TRASHED.length) : '',
  };
  return { row, waiting, notes };
}

async function addRow(tx: Transaction, scope: ImportScope, told: Post | Page, row: NewRow): Promise<ContentRow> {
  const [added] = await tx
    .insert(content)
    .values({ ...(await keepId(tx, content, told.id)), ...row })
    .returning();
  if (!added) throw new Error('The store did not return the row it added.');
  const given = told.guid.raw ?? told.guid.rendered;
  const guid =
    given === ''
      ? linkContent(added, { site: scope.home, kinds: scope.context.kinds }, await loadAncestors(tx, [added]))
      : scope.source.addresses.reduce((moving, from) => relocate(moving, from, scope.home), given);
  await tx.update(content).set({ guid }).where(eq(content.id, added.id));
  return { ...added, guid };
}

async function changeRow(tx: Transaction, before: ContentRow, row: NewRow): Promise<ContentRow> {
  const [after] = await tx.update(content).set(row).where(eq(content.id, before.id)).returning();
  if (!after) throw new Error('The store did not return the row it changed.');
  return after;
}

async function putTerms(tx: Transaction, { source }: ImportScope, contentId: number, told: Post): Promise<string[]> {
  const notes: string[] = [];
  for (const { kind, taxonomy, ids } of [
    { kind: 'category', taxonomy: 'category', ids: told.categories },
    { kind: 'tag', taxonomy: 'post_tag', ids: told.tags },
  ] as const) {
    const found = await findImported(tx, source.site, kind, ids);
    await assignTerms(
      tx,
      contentId,
      taxonomy,
      found.map(({ ownId }) => ownId),
    );
    const missing = ids.filter((id) => !found.some(({ sourceId }) => sourceId === id));
    if (missing.length > 0) notes.push(`a ${kind} of it did not come: ${missing.join(', ')}`);
  }
  return notes;
}

function readMeta(told: Readonly<Record<string, unknown>>): { meta: Record<string, string>; lost: string[] } {
  const values = Object.entries(told).filter(([, value]) => value !== '' && value !== null);
  const texts = values.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const lost = values.filter(([, value]) => typeof value !== 'string' && !isEmpty(value));
  return { meta: Object.fromEntries(texts), lost: lost.map(([key]) => key) };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
