import { SortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { findTokenUser } from './find-token-user.ts';
import { createProductToken, listProductTokens, decryptTokens } from './product-tokens.ts';
import { createUser } from './users.ts';

/** Label of the token of the sync. */
export const SYNC_LABEL = 'sync';

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
  const owner = await ensureSyncUser(context);
  const { token } = await createProductToken(context, { userId: owner.id, label: SYNC_LABEL });
  return token;
}

/** Finds the user that owns the sync's token: any user who may read products, else a new one. */
export async function ensureSyncUser(context: OriginContext) {
  return (await findTokenUser(context)) ?? (await createSyncUser(context));
}

/** An origin without demo data and without users must still be readable for its project. */
async function createSyncUser(context: OriginContext) {
  try {
    return await createUser(context, {
      login: 'sync',
      email: 'sync@localhost.invalid',
      role: 'contributor',
      name: 'Sync',
    });
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
