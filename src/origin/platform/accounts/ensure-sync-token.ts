import { SortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { findTokenUser } from './find-token-user.ts';
import { createProductToken, listProductTokens, decryptTokens } from './product-tokens.ts';
import { createUser } from './users.ts';

/** Of its token. */
export const SYNC_LABEL = 'sync';

/**
 * The token with which the sync of the same project reads the product interface: the one of the last start, or a
 * new one. One that another key sealed is left alone: it may be another origin's on the same database. It belongs to
 * an account that may read products.
 */
export async function ensureSyncToken(context: OriginContext): Promise<string> {
  const valid = (await listProductTokens(context)).filter(({ label, revokedAt }) => label === SYNC_LABEL && !revokedAt);
  for (const { id, userId } of valid) {
    const decrypted = (await decryptTokens(context, userId)).find((token) => token.id === id);
    if (decrypted?.token !== undefined) return decrypted.token;
  }
  const owner = await findSyncUser(context);
  const { token } = await createProductToken(context, { userId: owner.id, label: SYNC_LABEL });
  return token;
}

/** Who the sync's token belongs to: somebody who may read products, made where there is nobody. */
export async function findSyncUser(context: OriginContext) {
  return (await findTokenUser(context)) ?? (await createOwner(context));
}

/** An origin that was started without demo and without users still has to be readable for its project. */
async function createOwner(context: OriginContext) {
  try {
    return await createUser(context, {
      login: 'sync',
      email: 'sync@localhost.invalid',
      role: 'contributor',
      name: 'Sync',
    });
  } catch (error) {
    if (!(error instanceof SortimentError)) throw error;
    // Another origin that starts on the same database may have created it meanwhile.
    const found = await findTokenUser(context);
    if (found) return found;
    throw new SortimentError('SYNC_USER_MISSING', 'No account of this origin may read products.', {
      hint: 'Create one with `npm run origin -- user create`.',
      cause: error,
    });
  }
}
