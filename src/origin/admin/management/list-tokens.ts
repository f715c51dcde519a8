import { z } from 'zod';
import { listProductTokens, revealTokens } from '#origin/platform/accounts/index.ts';
import { command } from './command.ts';
import { countOf } from './count-of.ts';
import { listAccounts } from './list-users.ts';

/** The tokens of the product interface; in clear only where they are asked for. */
export const listTokens = command(
  z.strictObject({ reveal: z.boolean().default(false) }),
  async (context, { reveal }) => {
    const tokens = await listProductTokens(context);
    const logins = new Map((await listAccounts(context)).map(({ id, login }) => [id, login]));
    const clear = new Map<number, string | undefined>();
    if (reveal) {
      for (const userId of new Set(tokens.map((token) => token.userId))) {
        for (const { id, token } of await revealTokens(context, userId)) clear.set(id, token);
      }
    }
    const rows = tokens.map(({ id, userId, label, createdAt, revokedAt }) => ({
      id,
      user: logins.get(userId) ?? userId,
      label,
      created: createdAt.toISOString(),
      revoked: revokedAt?.toISOString() ?? '',
      ...(reveal && { token: clear.get(id) ?? '' }),
    }));
    return { message: countOf(rows.length, 'token'), rows };
  },
);
