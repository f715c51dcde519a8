import { asc, eq, and, sql, inArray } from 'drizzle-orm';
import { type ImportKind, IMPORT_COMMANDS } from '#contracts/import.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { rewriteSiteAddresses } from '#origin/namespaces/podcast/podcast-record.ts';
import { loadAncestors } from '#origin/platform/content/content-url.ts';
import { findFreeSlug } from '#origin/platform/content/slugs.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { user, content, imported, term } from '#origin/platform/store/schema.ts';
import {
  findLocalId,
  findUploadPath,
  relocate,
  digestContent,
  digestTerm,
  saveImportedRow,
  type ImportedRow,
  categoryFormsCycle,
  type ImportJob,
  findImported,
} from './tracked-record.ts';
import { basename, dirname } from 'node:path/posix';

/** Class name that links an image in a text to its media item. */
const CLASS = /\bwp-image-(\d+)\b/g;

/** Opening comment of a block that references media by ID, including its attributes. */
const BLOCK = /<!-- wp:(?:image|cover|gallery|file|audio|video|media-text) \{[^<>\n]*\} \/?-->/g;

const IN_BLOCK = /"(id|mediaId)":(\d+)/g;

const LIST_IN_BLOCK = /"ids":\[([\d,\s]*)\]/g;

interface LocalFile {
  file: string;
  sizes: { file: string; width: number }[];
}

/** Suffixes of derived files: `-300x200`, `-scaled`. */
const DERIVED = /-(?:(\d+)x\d+|scaled|rotated|e\d{13})(?=\.[^.]+$)/;

/**
 * Replaces the source's addresses and file addresses in texts with local ones. Files that were not imported keep their
 * address.
 */
export async function rewriteAddresses<const T extends Record<string, string>>(
  tx: Transaction,
  job: ImportJob,
  texts: T,
): Promise<{ [K in keyof T]: string }> {
  const found = Object.values(texts).flatMap((text) => text.match(uploadPattern(job)) ?? []);
  const paths = new Map(found.map((address) => [address, findUploadPath(job, address)]));
  const files = await findLocalFiles(tx, job, [...paths.values()]);
  const replacements = new Map<string, string>();
  for (const [address, path] of paths) {
    const file = chooseFile(files, path);
    // Hidden from the second step, which would rewrite addresses of missing files.
    replacements.set(address, file === undefined ? hide(address) : `${job.home}/uploads/${file}`);
  }
  const rewritten: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    const withFiles = text.replaceAll(uploadPattern(job), (address) => replacements.get(address) ?? address);
    rewritten[name] = await replaceIds(tx, job, unhide(relocate(job, withFiles)));
  }
  return rewritten as { [K in keyof T]: string };
}

const HIDDEN = '\uE000';
const hide = (address: string): string => address.replace('://', `:${HIDDEN}//`);
const unhide = (text: string): string => text.replaceAll(`:${HIDDEN}//`, '://');

function uploadPattern({ source }: ImportJob): RegExp {
  const sites = source.addresses.map((address) => RegExp.escape(address));
  return new RegExp(String.raw`(?:${sites.join('|')})\/(?:wp-content\/)?uploads\/[^\s"'<>()\\?#,]+`, 'g');
}

/** Loads the originals that files may derive from, by their path at the source. */
async function findLocalFiles(tx: Transaction, { source }: ImportJob, paths: readonly string[]) {
  const wanted = [...new Set(paths.flatMap((path) => [path, path.replace(DERIVED, '')]))].filter((path) => path !== '');
  if (wanted.length === 0) return new Map();
  const rows = await tx
    .select({ path: imported.path, file: content.file, details: content.mediaDetails })
    .from(imported)
    .innerJoin(content, eq(content.id, imported.ownId))
    .where(and(eq(imported.source, source.site), eq(imported.kind, 'media'), inArray(imported.path, wanted)));
  return new Map(
    rows.map(({ path, file, details }) => {
      const sizes = Object.values((details['sizes'] ?? {}) as Record<string, LocalFile['sizes'][number]>);
      return [path, { file, sizes }];
    }),
  );
}

/** Chooses the file itself, the size of the same width, or the next wider one. */
function chooseFile(files: ReadonlyMap<string, LocalFile>, path: string): string | undefined {
  const whole = files.get(path);
  if (whole) return whole.file;
  const original = files.get(path.replace(DERIVED, ''));
  if (!original) return undefined;
  const width = Number(DERIVED.exec(path)?.[1] ?? Infinity);
  const suffix = DERIVED.exec(basename(path))?.[0] ?? '';
  const fitting = original.sizes.filter((size) => size.width >= width).toSorted((a, b) => a.width - b.width);
  const size = fitting.find(({ file }) => file.includes(`${suffix}.`)) ?? fitting[0];
  return size ? `${dirname(original.file)}/${size.file}` : original.file;
}

async function replaceIds(tx: Transaction, { source }: ImportJob, text: string): Promise<string> {
  const referenced = [
    ...[...text.matchAll(CLASS)].map(([, id]) => id),
    ...[...text.matchAll(BLOCK)].flatMap(([block]) => block.match(/\d+/g) ?? []),
  ].map(Number);
  const wanted = referenced.filter((id) => Number.isSafeInteger(id) && id > 0);
  const rows = await findImported(tx, source.site, 'media', wanted);
  const localIds = new Map(rows.filter((row) => row.ownId !== row.sourceId).map((row) => [row.sourceId, row.ownId]));
  if (localIds.size === 0) return text;
  const replaceId = (id: string) => String(localIds.get(Number(id)) ?? id);
  return text
    .replaceAll(CLASS, (_, id: string) => `wp-image-${replaceId(id)}`)
    .replaceAll(BLOCK, (block) =>
      block
        .replaceAll(IN_BLOCK, (_, name: string, id: string) => `"${name}":${replaceId(id)}`)
        .replaceAll(LIST_IN_BLOCK, (_, ids: string) => `"ids":[${ids.replaceAll(/\d+/g, replaceId)}]`),
    );
}

/** Lists imported records that still exist here but were not found at the source. */
export const listMissing = importStep(IMPORT_COMMANDS.absent, async ({ store }, { source, kind, seen }) => {
  const seenIds = new Set(seen);
  const table = kind === 'category' || kind === 'tag' ? term : content;
  const rows = await store.db
    .select({ id: imported.sourceId, slug: table.slug })
    .from(imported)
    .innerJoin(table, eq(table.id, imported.ownId))
    .where(and(eq(imported.source, source.site), eq(imported.kind, kind)));
  const absent = rows.filter(({ id }) => !seenIds.has(id));
  return { message: `${absent.length} imported records were not found at the source.`, absent };
});

/**
 * Resolves references to records that were imported later: parents, featured images, authors. Returns those that are
 * still unresolved or would form a cycle.
 */
export const resolveReferences = importStep(IMPORT_COMMANDS.settle, async (context, { source }) => {
  const { store } = context;
  // Posts use the site's initial address in texts, episodes its current one.
  await rewriteSiteAddresses(context);
  const hasWaiting = and(eq(imported.source, source.site), sql`${imported.waiting} <> '{}'::jsonb`);
  const rows = await store.db.select().from(imported).where(hasWaiting);
  let settled = 0;
  const open: { kind: string; id: number; to: Record<string, number> }[] = [];
  for (const row of rows) {
    const resolveRow = row.kind === 'category' ? resolveTerm : resolveContent;
    const left = await writeContent(store.db, (tx) => resolveRow(tx, row));
    if (Object.keys(left).length < Object.keys(row.waiting).length) settled += 1;
    if (Object.keys(left).length > 0) open.push({ kind: row.kind, id: row.sourceId, to: left });
  }
  return { message: `${settled} references were resolved.`, settled, open };
});

/** Content columns with references, and the kinds they may reference. */
const REFERENCES = {
  authorId: ['user'],
  featuredMedia: ['media'],
  parentId: ['page', 'post', 'media'],
} as const satisfies Record<string, readonly ImportKind[]>;

type ReferenceColumn = keyof typeof REFERENCES;

/**
 * Finds the local rows for a record's references. Those to missing records, and those that would form a cycle, are
 * waiting.
 *
 * @param remoteIds IDs at the source, 0 for none
 * @param ownId ID of the local row, which must not become its own ancestor
 */
export async function findReferences(
  tx: Transaction,
  source: string,
  remoteIds: Partial<Record<ReferenceColumn, number>>,
  ownId?: number,
) {
  const columns: Partial<Record<ReferenceColumn, number>> = {};
  const waiting: Record<string, number> = {};
  for (const [column, id] of Object.entries(remoteIds) as [ReferenceColumn, number][]) {
    const found = id > 0 ? await findLocalId(tx, source, REFERENCES[column], id) : 0;
    const hasParent = column === 'parentId' && ownId !== undefined && found !== undefined && found > 0;
    const isCycle = hasParent && (await loadAncestors(tx, [{ parentId: found }])).has(ownId);
    if (found === undefined || isCycle) waiting[column] = id;
    else columns[column] = found;
  }
  return { columns, waiting };
}

/** The author until the real one is imported. */
export async function findFirstAdministrator(tx: Transaction): Promise<number> {
  const condition = eq(user.role, 'administrator');
  const [first] = await tx.select({ id: user.id }).from(user).where(condition).orderBy(asc(user.id)).limit(1);
  return first?.id ?? 0;
}

/** Resolves the references of a content row. @returns the references that are still unresolved */
async function resolveContent(tx: Transaction, known: ImportedRow): Promise<Record<string, number>> {
  const [row] = await tx.select().from(content).where(eq(content.id, known.ownId));
  if (!row || (await digestContent(row, tx)) !== known.ownDigest) {
    await saveImportedRow(tx, { ...known, waiting: {} });
    return {};
  }
  const { columns, waiting } = await findReferences(tx, known.source, known.waiting, row.id);
  if (Object.keys(columns).length === 0) return waiting;
  const { id, type, slug, parentId } = { ...row, ...columns };
  const needsSlug = slug !== '' && columns.parentId !== undefined && type === 'page';
  const freeSlug = needsSlug ? await findFreeSlug(tx, slug, { id, type, parentId, slug }) : slug;
  const [after = row] = await tx
    .update(content)
    .set({ ...columns, slug: freeSlug })
    .where(eq(content.id, id))
    .returning();
  await saveImportedRow(tx, { ...known, waiting, ownDigest: await digestContent(after, tx) });
  return waiting;
}

async function resolveTerm(tx: Transaction, known: ImportedRow): Promise<Record<string, number>> {
  const parentId = await findLocalId(tx, known.source, ['category'], known.waiting['parent'] ?? 0);
  if (parentId === undefined || (await categoryFormsCycle(tx, known.ownId, parentId))) return known.waiting;
  const [after] = await tx.update(term).set({ parentId }).where(eq(term.id, known.ownId)).returning();
  await saveImportedRow(tx, { ...known, waiting: {}, ownDigest: after ? digestTerm(after) : known.ownDigest });
  return {};
}
