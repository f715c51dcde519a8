import { eq, or, sql } from 'drizzle-orm';
import type { ImportOutcome, ImportRecord } from '#contracts/index.ts';
import { role, user as userContract, type User } from '#contracts/core/index.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/index.ts';
import { user } from '#origin/platform/store/schema.ts';
import { digestOf } from './digest-row.ts';
import type { ImportScope } from './import-scope.ts';
import { findImported, rememberImported } from './imported-rows.ts';
import { keepId } from './keep-id.ts';
import { readHomePage } from './read-home-page.ts';
import { readWire } from './read-wire.ts';

type UserRow = typeof user.$inferSelect;

/**
 * Writes an author as a user without a password. Who has the same e-mail address or login here already is taken for
 * the same person, and stays as they are.
 */
export function putUser(
  { context, source }: ImportScope,
  { id, digest, wire }: ImportRecord,
): Promise<Omit<ImportOutcome, 'id'>> {
  const told = readWire(userContract, wire);
  return retryTransaction(context.store.db, async (tx) => {
    const [known] = await findImported(tx, source.site, 'user', [id]);
    if (known?.digest === digest) return { outcome: 'unchanged' };
    const base = { source: source.site, kind: 'user', sourceId: id, digest };
    if (known) {
      const [own] = await tx.select().from(user).where(eq(user.id, known.ownId));
      if (!own) return { outcome: 'kept', note: 'was deleted here' };
      if (known.ownDigest === '') {
        await rememberImported(tx, [{ ...base, ownId: own.id }]);
        return { outcome: 'unchanged' };
      }
      if (digestUser(own) !== known.ownDigest) return { outcome: 'kept', note: 'was changed here' };
      const [after] = await tx
        .update(user)
        .set(await chooseValues(tx, told, own))
        .where(eq(user.id, own.id))
        .returning();
      await rememberImported(tx, [{ ...base, ownId: own.id, ownDigest: after ? digestUser(after) : '' }]);
      return { outcome: 'updated' };
    }
    const same = await findSame(tx, told);
    if (same) {
      await rememberImported(tx, [{ ...base, ownId: same.id }]);
      return { outcome: 'met', note: `stands for "${same.login}", who was here already` };
    }
    const values = await chooseValues(tx, told);
    const [added] = await tx
      .insert(user)
      .values({ ...(await keepId(tx, user, id)), ...values })
      .returning();
    if (!added) throw new Error('The store did not return the user it added.');
    await rememberImported(tx, [{ ...base, ownId: added.id, ownDigest: digestUser(added) }]);
    return { outcome: 'added' };
  });
}

function digestUser(row: UserRow): string {
  const { login, email, name, slug, url, description, role: theirs, active } = row;
  const { firstName, lastName, nickname, locale } = row;
  return digestOf({
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

async function findSame(tx: Transaction, { username, email }: User): Promise<UserRow | undefined> {
  if (!username && !email) return undefined;
  const sameLogin = eq(sql`lower(${user.login})`, (username ?? '').toLowerCase());
  const [found] = await tx
    .select()
    .from(user)
    .where(or(sameLogin, eq(user.email, (email ?? '').toLowerCase())))
    .limit(1);
  return found;
}

/** What the account could not see is filled in so that it is unique and leads to nobody. */
async function chooseValues(tx: Transaction, told: User, own?: UserRow): Promise<typeof user.$inferInsert> {
  const wantedLogin = told.username || told.slug || `author-${told.id}`;
  const login = await findFree(tx, user.login, wantedLogin, own?.id);
  const slug = await findFree(tx, user.slug, told.slug || wantedLogin, own?.id);
  const email = await findFree(tx, user.email, (told.email || `${slug}@imported.invalid`).toLowerCase(), own?.id);
  const registered = Date.parse(told.registered_date ?? '');
  const known = role.options.find((name) => told.roles?.includes(name));
  return {
    login,
    slug,
    email,
    name: plainText(told.name),
    url: readHomePage(told.url),
    description: await runAside('filterInline', told.description),
    role: known ?? 'author',
    ...(told.first_name !== undefined && { firstName: plainText(told.first_name) }),
    ...(told.last_name !== undefined && { lastName: plainText(told.last_name) }),
    ...(told.nickname !== undefined && { nickname: plainText(told.nickname) }),
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
    const [taken] = await tx.select({ id: user.id }).from(user).where(eq(column, candidate)).limit(1);
    if (!taken || taken.id === ownId) return candidate;
  }
}
