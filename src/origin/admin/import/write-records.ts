import { and, eq, or, sql, inArray } from 'drizzle-orm';
import { comment as commentContract, commentStatus } from '#contracts/core/comment-routes.ts';
import { role, user as userContract, type User } from '#contracts/core/user.ts';
import {
  IMPORT_COMMANDS,
  type ImportKind,
  type ImportOutcome,
  type ImportRecord,
  PRODUCT_FILE_NAME,
  type ImportProductResult,
} from '#contracts/import.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { RestError } from '#origin/platform/http/transport/rest-error.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { sqlState, type Transaction, retryTransaction } from '#origin/platform/store/query-errors.ts';
import { comment, user, product } from '#origin/platform/store/schema.ts';
import { createImportJob, type ImportJob, preserveId, getStagingFolder } from './import-job.ts';
import { findImported, digestValue, findLocalId, saveImportedRows, parseWire, toStoredTime } from './imported-rows.ts';
import { writeImportedEpisode } from './write-episode.ts';
import { writeImportedMedia } from './write-media-item.ts';
import { writeImportedPodcast, writeImportedShow } from './write-podcast.ts';
import { createTermWriter } from './write-term.ts';
import { createArticleWriter } from './write-article.ts';
import { rewriteAddresses } from './rewrite-addresses.ts';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { formatProblems } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { checkRecord } from '#origin/admin/management/set-product.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { digestRecord, upsertProducts } from '#origin/platform/store/upsert-products.ts';

/** Returns the records that are new or differ from the stored ones. */
export const checkProducts = importStep(IMPORT_COMMANDS.productCheck, async ({ store }, { records }) => {
  const gtins = [...new Set(records.map(({ gtin }) => gtin))];
  const rows = await store.db.select().from(product).where(inArray(product.gtin, gtins));
  const digests = new Map(rows.map(({ gtin, language, digest }) => [`${gtin} ${language}`, digest]));
  const different = records
    .filter(({ gtin, language, record }) => {
      const known = digests.get(`${gtin} ${language}`);
      return known === undefined || known !== digestRecord(record as ProductRecord);
    })
    .map(({ gtin, language }) => ({ gtin, language }));
  return { message: `${different.length} of ${records.length} records are new or different.`, different };
});

/** Stores product files before the records that reference them, so that no record references a missing file. */
export const writeProductRecords = importStep(IMPORT_COMMANDS.productPut, async (context, { records }) => {
  const outcomes: ImportProductResult[] = [];
  for (const { gtin, language, record: wire, files } of records) {
    const checked = checkRecord(wire, context.publicUrl);
    if ('problems' in checked) {
      outcomes.push({ gtin, language, outcome: 'refused', note: `is not valid:\n${formatProblems(checked.problems)}` });
      continue;
    }
    for (const file of files) await storeFile(context, file);
    const outcome = await saveProduct(context, checked.record);
    outcomes.push({ gtin, language, outcome });
  }
  return { message: `${outcomes.length} records were processed.`, outcomes };
});

async function storeFile(context: OriginContext, { staged, path }: { staged: string; path: string }): Promise<void> {
  const isPlain = path.split('/').every((part) => /^\w[\w.-]*$/.test(part));
  if (!isPlain || !PRODUCT_FILE_NAME.test(basename(path)))
    throw new Error(`${path} is not a valid name for a product file.`);
  const bytes = await readFile(join(getStagingFolder(context), staged));
  const { media } = context.files;
  const present = await media.read(path);
  if (!present?.equals(bytes)) await media.put(path, bytes);
}

function saveProduct({ store }: OriginContext, record: ProductRecord): Promise<ImportProductResult['outcome']> {
  return retryTransaction(store.db, async (tx) => {
    const { gtin } = record;
    const known = await tx
      .select({ language: product.language })
      .from(product)
      .where(inArray(product.gtin, [gtin]));
    const changed = await upsertProducts(tx, [record]);
    if (changed.length === 0) return 'unchanged';
    await announce(tx, { what: 'product', id: gtin, action: known.length > 0 ? 'updated' : 'created' });
    return known.some(({ language }) => language === record.language) ? 'updated' : 'added';
  });
}

/** Returns the unchanged records and those that were imported before. */
export const checkRecords = importStep(IMPORT_COMMANDS.check, async ({ store }, { source, kind, records }) => {
  const ids = records.map(({ id }) => id);
  const found = await findImported(store.db, source.site, kind, ids);
  const digests = new Map(found.map(({ sourceId, digest }) => [sourceId, digest]));
  const unchanged = records.filter(({ id, digest }) => digests.get(id) === digest).map(({ id }) => id);
  return {
    message: `${unchanged.length} of ${records.length} records are unchanged.`,
    unchanged,
    known: [...digests.keys()],
  };
});

type Writer = (job: ImportJob, record: ImportRecord) => Promise<Omit<ImportOutcome, 'id'>>;

const WRITERS: Readonly<Record<ImportKind, Writer>> = {
  user: writeUser,
  category: createTermWriter('category'),
  tag: createTermWriter('tag'),
  media: writeImportedMedia,
  page: createArticleWriter('page'),
  post: createArticleWriter('post'),
  podcast: writeImportedPodcast,
  show: writeImportedShow,
  episode: writeImportedEpisode,
  comment: writeComment,
};

/** Writes each record in its own transaction, so that none is stored in part. */
export const writeRecords = importStep(IMPORT_COMMANDS.put, async (context, { source, kind, records }) => {
  const job = await createImportJob(context, source);
  const outcomes: ImportOutcome[] = [];
  for (const record of records) {
    outcomes.push({ id: record.id, ...(await writeRecord(WRITERS[kind], job, record)) });
  }
  return { message: `${outcomes.length} records were processed.`, outcomes };
});

/** Writes one record. Rule violations and unstorable values reject the record; other errors end the import. */
async function writeRecord(write: Writer, job: ImportJob, record: ImportRecord): Promise<Omit<ImportOutcome, 'id'>> {
  try {
    return await write(job, record);
  } catch (error) {
    if (error instanceof RestError) return { outcome: 'refused', note: error.message };
    if (!UNSTORABLE.test(sqlState(error) ?? '')) throw error;
    return { outcome: 'refused', note: 'contains a value that can not be stored, such as an invalid date' };
  }
}

/** PostgreSQL error classes: value out of range (22), too long for an index (54). */
const UNSTORABLE = /^(?:22|54)/;

/** Writes a comment. Rejects comments on content that was not imported. */
async function writeComment(job: ImportJob, { id, digest, wire }: ImportRecord): Promise<Omit<ImportOutcome, 'id'>> {
  const remote = parseWire(commentContract, wire);
  const { site } = job.source;
  // Untrusted text, so it is filtered here regardless of the source.
  const filtered = (await runTextJob('filter', remote.content.raw ?? remote.content.rendered)).trim();
  return writeContent(job.context.store.db, async (tx) => {
    const [known] = await findImported(tx, site, 'comment', [id]);
    if (known?.digest === digest) return { outcome: 'unchanged' };
    const [existing] = known ? await tx.select().from(comment).where(eq(comment.id, known.ownId)) : [];
    if (known && !existing) return { outcome: 'kept', note: 'was deleted here' };
    if (existing && digestValue(existing) !== known?.ownDigest) return { outcome: 'kept', note: 'was changed here' };
    const contentId = await findLocalId(tx, site, ['post', 'page', 'media', 'episode'], remote.post);
    if (contentId === undefined)
      return { outcome: 'refused', note: `belongs to ${remote.post}, which was not imported` };
    const status = commentStatus.safeParse(remote.status === 'approve' ? 'approved' : remote.status);
    if (!status.success)
      return { outcome: 'refused', note: `has the status "${remote.status}", which is unknown here` };
    if (remote.type !== 'comment') return { outcome: 'refused', note: `is a ${remote.type}, not a comment` };
    if (filtered === '') return { outcome: 'refused', note: 'has no text' };
    const { text } = await rewriteAddresses(tx, job, { text: filtered });
    const values = {
      contentId,
      // Changing the parent could form a cycle.
      parentId: existing?.parentId ?? (await findParent(tx, site, remote.parent, contentId)),
      authorId: remote.author > 0 ? ((await findLocalId(tx, site, ['user'], remote.author)) ?? 0) : 0,
      authorName: plainText(remote.author_name),
      authorEmail: remote.author_email ?? '',
      authorUrl: readHomePage(remote.author_url),
      text,
      status: status.data,
      date: toStoredTime(remote.date),
      dateGmt: toStoredTime(remote.date_gmt),
    };
    const [row] = existing
      ? await tx.update(comment).set(values).where(eq(comment.id, existing.id)).returning()
      : await tx
          .insert(comment)
          .values({ ...(await preserveId(tx, comment, id)), ...values })
          .returning();
    if (!row) throw new Error('The store did not return the comment it wrote.');
    const base = { source: site, kind: 'comment', sourceId: id, ownId: row.id, digest, ownDigest: digestValue(row) };
    await saveImportedRows(tx, [base]);
    return { outcome: existing ? 'updated' : 'added' };
  });
}

/** Returns the parent comment if it was imported and belongs to the same content; otherwise 0. */
async function findParent(tx: Transaction, site: string, remote: number, contentId: number): Promise<number> {
  const id = remote > 0 ? await findLocalId(tx, site, ['comment'], remote) : undefined;
  if (id === undefined) return 0;
  const condition = and(eq(comment.id, id), eq(comment.contentId, contentId));
  const [parent] = await tx.select({ id: comment.id }).from(comment).where(condition).limit(1);
  return parent?.id ?? 0;
}

type UserRow = typeof user.$inferSelect;

/**
 * Writes an author as a user without a password. An existing user with the same email address or login is used
 * unchanged.
 */
function writeUser(
  { context, source }: ImportJob,
  { id, digest, wire }: ImportRecord,
): Promise<Omit<ImportOutcome, 'id'>> {
  const remote = parseWire(userContract, wire);
  return writeContent(context.store.db, async (tx) => {
    const [known] = await findImported(tx, source.site, 'user', [id]);
    if (known?.digest === digest) return { outcome: 'unchanged' };
    const base = { source: source.site, kind: 'user', sourceId: id, digest };
    if (known) {
      const [existing] = await tx.select().from(user).where(eq(user.id, known.ownId));
      if (!existing) return { outcome: 'kept', note: 'was deleted here' };
      if (known.ownDigest === '') {
        await saveImportedRows(tx, [{ ...base, ownId: existing.id }]);
        return { outcome: 'unchanged' };
      }
      if (digestUser(existing) !== known.ownDigest) return { outcome: 'kept', note: 'was changed here' };
      const [after] = await tx
        .update(user)
        .set(await chooseValues(tx, remote, existing))
        .where(eq(user.id, existing.id))
        .returning();
      await saveImportedRows(tx, [{ ...base, ownId: existing.id, ownDigest: after ? digestUser(after) : '' }]);
      return { outcome: 'updated' };
    }
    const same = await findExistingUser(tx, remote);
    if (same) {
      await saveImportedRows(tx, [{ ...base, ownId: same.id }]);
      return { outcome: 'met', note: `is represented by the existing user "${same.login}"` };
    }
    const values = await chooseValues(tx, remote);
    const [added] = await tx
      .insert(user)
      .values({ ...(await preserveId(tx, user, id)), ...values })
      .returning();
    if (!added) throw new Error('The store did not return the user it added.');
    await saveImportedRows(tx, [{ ...base, ownId: added.id, ownDigest: digestUser(added) }]);
    return { outcome: 'added' };
  });
}

function digestUser(row: UserRow): string {
  const { login, email, name, slug, url, description, role: theirs, active } = row;
  const { firstName, lastName, nickname, locale } = row;
  return digestValue({
    login,
    email,
    name,
    slug,
    url,
    description,
    theirs,
    active,
    firstName,
    lastName,
    nickname,
    locale,
  });
}

async function findExistingUser(tx: Transaction, { username, email }: User): Promise<UserRow | undefined> {
  if (!username && !email) return undefined;
  const sameLogin = eq(sql`lower(${user.login})`, (username ?? '').toLowerCase());
  const [found] = await tx
    .select()
    .from(user)
    .where(or(sameLogin, eq(user.email, (email ?? '').toLowerCase())))
    .limit(1);
  return found;
}

/** Builds the columns of a user. Fields that the importing account can't see get unique placeholders. */
async function chooseValues(tx: Transaction, remote: User, existing?: UserRow): Promise<typeof user.$inferInsert> {
  const wantedLogin = remote.username || remote.slug || `author-${remote.id}`;
  const login = await findFree(tx, user.login, wantedLogin, existing?.id);
  const slug = await findFree(tx, user.slug, remote.slug || wantedLogin, existing?.id);
  const email = await findFree(
    tx,
    user.email,
    (remote.email || `${slug}@imported.invalid`).toLowerCase(),
    existing?.id,
  );
  const registered = Date.parse(remote.registered_date ?? '');
  const known = role.options.find((name) => remote.roles?.includes(name));
  return {
    login,
    slug,
    email,
    name: plainText(remote.name),
    url: readHomePage(remote.url),
    description: await runTextJob('filterInline', remote.description),
    role: known ?? 'author',
    ...(remote.first_name !== undefined && { firstName: plainText(remote.first_name) }),
    ...(remote.last_name !== undefined && { lastName: plainText(remote.last_name) }),
    ...(remote.nickname !== undefined && { nickname: plainText(remote.nickname) }),
    ...(Number.isFinite(registered) && { registeredAt: new Date(registered) }),
  };
}

async function findFree(
  tx: Transaction,
  column: typeof user.login | typeof user.slug | typeof user.email,
  wanted: string,
  ownId: number | undefined,
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? wanted : `${wanted}-${number}`;
    const [existing] = await tx.select({ id: user.id }).from(user).where(eq(column, candidate)).limit(1);
    if (!existing || existing.id === ownId) return candidate;
  }
}

/** Returns a web address, or an empty text for anything else. */
function readHomePage(address: string): string {
  return /^https?:/i.test(address) && URL.canParse(address) ? address : '';
}
