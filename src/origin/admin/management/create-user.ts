import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { role } from '#contracts/core/index.ts';
import { createUser as createAccount } from '#origin/platform/accounts/index.ts';
import { MIN_PASSWORD_LENGTH } from '#contracts/core/index.ts';
import { command } from './command.ts';

const args = z.strictObject({
  login: z.string().regex(/^[\w.@-]{1,60}$/, { error: 'may hold letters, digits and _ . @ - only' }),
  email: z.email({ error: 'is not an e-mail address' }),
  name: z.string().min(1).optional(),
  role: role.default('editor'),
  password: z.string().min(MIN_PASSWORD_LENGTH).optional(),
});

/** Makes an account that can sign in. Without a password one is made, and told this once. */
export const createUser = command(args, async (context, { name, password, ...wanted }) => {
  const secret = password ?? randomBytes(12).toString('base64url');
  const { id } = await createAccount(context, { ...wanted, ...(name !== undefined && { name }), password: secret });
  const told = password === undefined ? ` Password: ${secret}` : '';
  return {
    message: `User ${wanted.login} (${wanted.role}) can sign in at ${context.publicUrl}/admin/.${told}`,
    id,
    ...wanted,
    ...(password === undefined && { password: secret }),
  };
});
