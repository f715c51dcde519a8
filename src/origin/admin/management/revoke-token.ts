import { z } from 'zod';
import { SortimentError } from '#contracts/index.ts';
import { revokeProductToken } from '#origin/platform/accounts/index.ts';
import { command } from './command.ts';

/** Ends a token of the product interface. */
export const revokeToken = command(z.strictObject({ id: z.int().min(1) }), async (context, { id }) => {
  if (await revokeProductToken(context, id)) return { message: `Token ${id} is revoked.`, id };
  throw new SortimentError('TOKEN_UNKNOWN', `There is no token ${id}, or it was revoked before.`, {
    hint: 'See `token list` for the tokens and their numbers.',
  });
});
