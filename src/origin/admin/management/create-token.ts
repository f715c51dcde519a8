import { z } from 'zod';
import { SortimentError } from '#contracts/index.ts';
import { createProductToken } from '#origin/platform/accounts/index.ts';
import { command } from './command.ts';
import { findTokenUser } from '#origin/platform/accounts/find-token-user.ts';

/** Makes a token of the product interface. */
export const createToken = command(
  z.strictObject({ user: z.string().optional(), label: z.string().default('') }),
  async (context, { user: login, label }) => {
    const owner = await findTokenUser(context, login);
    if (!owner) {
      throw new SortimentError('USER_MISSING', 'There is no user who could own a token.', {
        hint: 'Create one with `user create`.',
      });
    }
    const { id, token } = await createProductToken(context, { userId: owner.id, label });
    return { message: `Token ${id} of ${owner.login}: ${token}`, id, user: owner.login, label, token };
  },
);
