import { and, eq, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { category, tag } from '#contracts/core/site-resources.ts';
import { filterTermDescription, findFreeTermSlug } from '#origin/namespaces/core/terms/terms.ts';
import { comment as commentContract, commentStatus } from '#contracts/core/comment-routes.ts';
import { role, user as userContract, type User } from '#contracts/core/user-routes.ts';
import {
  IMPORT_COMMANDS,
  importSettings,
  type ImportKind,
  type ImportOutcome,
  type ImportRecord,
} from '#contracts/import.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { loadSite, SITE_OPTION } from '#origin/platform/site/load-site.ts';
import { insertRow, writeContent } from '#origin/platform/content/resources/resource.ts';
import { RestError } from '#origin/platform/http/transport/rest-error.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { CATEGORY, TAG } from '#origin/platform/registry/content-kind.ts';
import { sqlState, type Transaction } from '#origin/platform/store/query-errors.ts';
import { comment, imported, option, term, user } from '#origin/platform/store/schema.ts';
import {
  type ImportJob,
  categoryFormsCycle,
  createRecordError,
  digestTerm,
  digestValue,
  findImported,
  findLocalId,
  hasLocalContent,
  parseWire,
  saveImportedRow,
  toStoredTime,
  writeTracked,
  type Outcome,
} from './tracked-record.ts';
import { writeImportedEpisode, writeImportedPodcast, writeImportedShow } from './write-podcast.ts';
import { writeImportedMedia, createArticleWriter } from './write-article.ts';
import { rewriteAddresses } from './references.ts';
import { dropUnstorable } from '#origin/platform/http/transport/rest-request.ts';

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

type Writer = (job: ImportJob, record: ImportRecord) => Promise<Outcome>;

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
  const site = await loadSite({ context });
  const job = { context, source, home: site.url ?? context.publicUrl };
  const outcomes: ImportOutcome[] = [];
  for (const record of records) outcomes.push({ id: record.id, ...(await writeRecord(WRITERS[kind], job, record)) });
  return { message: `${outcomes.length} records were processed.`, outcomes };
});

/** Writes one record. Rule violations and unstorable values reject the record; other errors end the import. */
async function writeRecord(write: Writer, job: ImportJob, record: ImportRecord): Promise<Outcome> {
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
async function writeComment(job: ImportJob, record: ImportRecord): Promise<Outcome> {
  const remote = parseWire(commentContract, record.wire);
  const { context, source } = job;
  // Untrusted text, so it is filtered here regardless of the source.
  const filtered = (await runTextJob('filter', remote.content.raw ?? remote.content.rendered)).trim();
  return writeContent(context.store.db, (tx) =>
    writeTracked(tx, job, record, {
      kind: 'comment',
      table: comment,
      digest: digestValue,
      plan: async (before) => {
        const contentId = await findLocalId(tx, source.site, ['post', 'page', 'media', 'episode'], remote.post);
        if (contentId === undefined) throw refuse(`belongs to ${remote.post}, which was not imported`);
        const status = commentStatus.safeParse(remote.status === 'approve' ? 'approved' : remote.status);
        if (!status.success) throw refuse(`has the status "${remote.status}", which is unknown here`);
        if (remote.type !== 'comment') throw refuse(`is a ${remote.type}, not a comment`);
        if (filtered === '') throw refuse('has no text');
        const { text } = await rewriteAddresses(tx, job, { text: filtered });
        const values = {
          contentId,
          // Changing the parent could form a cycle.
          parentId: before?.parentId ?? (await findParent(tx, source.site, remote.parent, contentId)),
          authorId: remote.author > 0 ? ((await findLocalId(tx, source.site, ['user'], remote.author)) ?? 0) : 0,
          authorName: plainText(remote.author_name),
          authorEmail: remote.author_email ?? '',
          authorUrl: readHomePage(remote.author_url),
          text,
          status: status.data,
          date: toStoredTime(remote.date),
          dateGmt: toStoredTime(remote.date_gmt),
        };
        return { values };
      },
    }),
  );
}

const refuse = (note: string) => createRecordError('import_unreadable', note);

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
function writeUser(job: ImportJob, record: ImportRecord): Promise<Outcome> {
  const remote = parseWire(userContract, record.wire);
  return writeContent(job.context.store.db, (tx) =>
    writeTracked(tx, job, record, {
      kind: 'user',
      table: user,
      digest: digestUser,
      match: async () => {
        const row = await findExistingUser(tx, remote);
        return row && { row, note: `is represented by the existing user "${row.login}"` };
      },
      plan: async (before) => ({ values: await chooseValues(tx, remote, before) }),
    }),
  );
}

function digestUser(row: UserRow): string {
  const { login, email, name, slug, url, description, role: theirs, active } = row;
  const { firstName, lastName, nickname, locale } = row;
  const names = { firstName, lastName, nickname, locale };
  return digestValue({ login, email, name, slug, url, description, theirs, active, ...names });
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
  const wantedEmail = (remote.email || `${slug}@imported.invalid`).toLowerCase();
  const email = await findFree(tx, user.email, wantedEmail, existing?.id);
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

type UniqueColumn = (typeof user)['login' | 'slug' | 'email'];

/** Returns the wanted value, with a number if another user has it. */
async function findFree(tx: Transaction, column: UniqueColumn, wanted: string, ownId?: number): Promise<string> {
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

/** Imports the site's title, description and time zone unless the site already has content. */
export const writeImportedSettings = importStep(
  IMPORT_COMMANDS.settings,
  async ({ store }, { source, settings: remote }) =>
    writeContent(store.db, async (tx) => {
      const settings = importSettings.parse(dropUnstorable(remote));
      const [known] = await findImported(tx, source.site, 'settings', [0]);
      const [stored] = await tx.select().from(option).where(eq(option.name, SITE_OPTION)).for('update');
      const before = { ...(stored?.value as object | undefined) };
      const digest = digestValue(settings);
      if (known?.digest === digest) return settingsResult('unchanged');
      if (known && known.ownDigest !== digestValue(pick(before))) return settingsResult('kept', 'were changed here');
      if (!known && (await hasLocalContent(tx, source.site)))
        return settingsResult('kept', 'the site already has content');
      const defaultCategory = settings.default_category;
      const categoryId =
        defaultCategory === undefined ? undefined : await findLocalId(tx, source.site, ['category'], defaultCategory);
      const after = {
        ...before,
        name: settings.title,
        description: settings.description,
        ...(settings.timezone !== undefined && { timezone: settings.timezone }),
        ...(categoryId !== undefined && { default_category: categoryId }),
      };
      await tx
        .insert(option)
        .values({ name: SITE_OPTION, value: after })
        .onConflictDoUpdate({ target: option.name, set: { value: after } });
      const base = { source: source.site, kind: 'settings', sourceId: 0, ownId: 0 };
      await saveImportedRow(tx, { ...base, digest, ownDigest: digestValue(pick(after)) });
      await announce(tx, { what: 'settings', id: SITE_OPTION, action: 'updated' });
      return settingsResult(known ? 'updated' : 'added');
    }),
);

function settingsResult(outcome: ImportOutcome['outcome'], note?: string) {
  return { message: note ?? `Settings: ${outcome}.`, outcome, note };
}

function pick(site: Record<string, unknown>): unknown {
  const { name, description, timezone, default_category: usual } = site;
  return { name, description, timezone, usual };
}

const siteWithDefault = z.looseObject({ default_category: z.int() });

/**
 * Writes a category or a tag. Reuses a local term with the same slug, but overwrites its texts only while the site has
 * no other content.
 */
function createTermWriter(kind: 'category' | 'tag') {
  const { taxonomy, slugBase } = kind === 'category' ? CATEGORY : TAG;
  return async (job: ImportJob, record: ImportRecord): Promise<Outcome> => {
    const { context, source } = job;
    const remote =
      kind === 'category' ? parseWire(category, record.wire) : { ...parseWire(tag, record.wire), parent: 0 };
    const description = await filterTermDescription(remote.description ?? '');
    return writeContent(context.store.db, (tx) =>
      writeTracked(tx, job, record, {
        kind,
        table: term,
        digest: digestTerm,
        match: async () => {
          const sameSlug = and(eq(term.taxonomy, taxonomy), eq(term.slug, remote.slug));
          const [row] = await tx.select().from(term).where(sameSlug);
          const isOverwritten = row && !(await hasLocalContent(tx, source.site));
          return row && { row, note: 'already existed here with the same slug', isOverwritten };
        },
        plan: async (before) => {
          if (!before) await freeDefaultCategoryId(tx, record.id, source.site);
          const parent = remote.parent ?? 0;
          const found = parent === 0 ? 0 : await findLocalId(tx, source.site, ['category'], parent);
          const isCycle = before !== undefined && (await categoryFormsCycle(tx, before.id, found ?? 0));
          return {
            waiting: found === undefined ? { parent } : {},
            values: {
              taxonomy,
              name: plainText(remote.name) || remote.slug,
              description,
              parentId: isCycle ? before.parentId : (found ?? 0),
              slug: await findFreeTermSlug(tx, remote.slug, { taxonomy, ...(before && { id: before.id }) }, []),
            },
          };
        },
        finish: async (before, { id }) => {
          await announce(tx, { what: slugBase, id: String(id), action: before ? 'updated' : 'created' });
        },
      }),
    );
  };
}

/**
 * Moves the default category of a new origin to another ID if an imported term needs its ID. Safe, because no content
 * uses it yet.
 */
async function freeDefaultCategoryId(tx: Transaction, id: number, source: string): Promise<void> {
  const [stored] = await tx.select().from(option).where(eq(option.name, SITE_OPTION));
  const site = siteWithDefault.safeParse(stored?.value);
  if (!site.success || site.data.default_category !== id || (await hasLocalContent(tx, source))) return;
  const isCategory = and(eq(imported.kind, 'category'), eq(imported.ownId, id));
  if ((await tx.$count(imported, isCategory)) > 0) return;
  const [defaultCategory] = await tx.delete(term).where(eq(term.id, id)).returning();
  if (!defaultCategory) return;
  const { id: _, ...same } = defaultCategory;
  const moved = await insertRow(tx, term, same);
  const value = { ...site.data, default_category: moved.id };
  await tx.update(option).set({ value }).where(eq(option.name, SITE_OPTION));
}
