import { randomBytes } from 'node:crypto';
import { asc, desc, eq, and, isNull, ne } from 'drizzle-orm';
import { SortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { productToken, user } from '#origin/platform/store/schema.ts';
import { hashSecret, sealText, unsealText } from './sealed-texts.ts';
import { type UserRow, createUser, findUserByLogin } from './users.ts';

/**
 * Creates a token of the product interface: 40 hex digits. The store has its SHA-256 for lookups, and a sealed copy
 * to show it to its owner again.
 */
export async function createProductToken(
  context: OriginContext,
  { userId, label = '' }: { userId: number; label?: string },
): Promise<{ id: number; token: string }> {
  const token = randomBytes(20).toString('hex');
  const [created] = await context.store.db
    .insert(productToken)
    .values({ userId, label, hash: hashSecret(token), sealed: sealText(context.key, token) })
    .returning({ id: productToken.id });
  if (!created) throw new SortimentError('TOKEN_NOT_STORED', `The token of user ${userId} could not be stored.`);
  return { id: created.id, token };
}

/** Lists all tokens, or those of one user, revoked ones included, oldest first. Secrets are not returned. */
export async function listProductTokens(context: OriginContext, filter: { userId?: number } = {}) {
  const { id, userId, label, createdAt, revokedAt } = productToken;
  return context.store.db
    .select({ id, userId, label, createdAt, revokedAt })
    .from(productToken)
    .where(filter.userId === undefined ? undefined : eq(userId, filter.userId))
    .orderBy(asc(id));
}

/**
 * Decrypts the valid tokens of a user. Show them to that user only, with `Cache-Control: no-store`. Tokens that were
 * sealed under another key are undefined.
 */
export async function decryptTokens(context: OriginContext, userId: number) {
  const rows = await context.store.db
    .select()
    .from(productToken)
    .where(and(eq(productToken.userId, userId), isNull(productToken.revokedAt)))
    .orderBy(asc(productToken.id));
  return rows.map(({ id, label, sealed }) => ({ id, label, token: unsealText(context.key, sealed) }));
}

/** Revokes a token. Returns false if it doesn't exist or was revoked before. */
export async function revokeProductToken(context: OriginContext, id: number): Promise<boolean> {
  const revoked = await context.store.db
    .update(productToken)
    .set({ revokedAt: new Date() })
    .where(and(eq(productToken.id, id), isNull(productToken.revokedAt)))
    .returning({ id: productToken.id });
  return revoked.length > 0;
}

/** Finds the owner of a token, who may be inactive. Returns undefined if the token is unknown or revoked. */
export async function findTokenOwner(context: OriginContext, token: string) {
  const [found] = await context.store.db
    .select({ user, tokenId: productToken.id })
    .from(productToken)
    .innerJoin(user, eq(user.id, productToken.userId))
    .where(and(eq(productToken.hash, hashSecret(token)), isNull(productToken.revokedAt)))
    .limit(1);
  return found;
}

/**
 * Returns true if an account may read the product interface: every role except `subscriber`, the role of registered
 * accounts that were not admitted yet. Those can sign in, but get 403.
 */
export function canReadProducts(user: Pick<UserRow, 'role'>): boolean {
  return user.role !== 'subscriber';
}

/** Label of the token of the sync. */
const SYNC_LABEL = 'sync';

/**
 * Returns the token that the sync of the same project uses: the existing one, or a new one.
 *
 * A token that was sealed under another key is ignored, as it may belong to another origin on the same database.
 */
export async function ensureSyncToken(context: OriginContext): Promise<string> {
  const valid = (await listProductTokens(context)).filter(({ label, revokedAt }) => label === SYNC_LABEL && !revokedAt);
  for (const { id, userId } of valid) {
    const decrypted = (await decryptTokens(context, userId)).find((token) => token.id === id);
    if (decrypted?.token !== undefined) return decrypted.token;
  }
  // Any user who may read products can own the token.
  const owner = (await findTokenUser(context)) ?? (await createSyncUser(context));
  const { token } = await createProductToken(context, { userId: owner.id, label: SYNC_LABEL });
  return token;
}

/** An origin without demo data and without users must still be readable for its project. */
async function createSyncUser(context: OriginContext) {
  try {
    const email = 'sync@localhost.invalid';
    return await createUser(context, { login: 'sync', email, role: 'contributor', name: 'Sync' });
  } catch (error) {
    if (!(error instanceof SortimentError)) throw error;
    // Another origin starting on the same database may have created it concurrently.
    const found = await findTokenUser(context);
    if (found) return found;
    throw new SortimentError('SYNC_USER_MISSING', 'No account of this origin may read products.', {
      hint: 'Create one with `npm run origin -- user create`.',
      cause: error,
    });
  }
}

/**
 * Finds the user for a new token: the one with the given login, else the first administrator, else the first user who
 * may read products. Returns undefined if no login is given and there is no such user.
 *
 * @throws {SortimentError} USER_UNKNOWN, USER_NOT_ALLOWED
 */
export async function findTokenUser(context: OriginContext, login?: string): Promise<UserRow | undefined> {
  if (login === undefined) {
    const [first] = await context.store.db
      .select()
      .from(user)
      .where(and(eq(user.active, true), ne(user.role, 'subscriber')))
      .orderBy(desc(eq(user.role, 'administrator')), asc(user.id))
      .limit(1);
    return first;
  }
  const found = await findUserByLogin(context, login);
  if (!found) {
    throw new SortimentError('USER_UNKNOWN', `There is no user "${login}".`, {
      hint: 'See `user list` for the users, `user create` for a new one.',
    });
  }
  if (found.active && canReadProducts(found)) return found;
  throw new SortimentError('USER_NOT_ALLOWED', `The user "${login}" may not read products.`, {
    hint: found.active ? 'Give the user another role than subscriber.' : 'The account is disabled: choose another one.',
  });
}
