import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { asc, count, eq } from 'drizzle-orm';
import { role, MIN_PASSWORD_LENGTH } from '#contracts/core/user-routes.ts';
import { IMPORT_COMMANDS } from '#contracts/import.ts';
import { SortimentError } from '#contracts/index.ts';
import { startImport } from '#origin/admin/import/tracked-record.ts';
import { checkRecords, writeImportedSettings, writeRecords } from '#origin/admin/import/write-records.ts';
import { listMissing, resolveReferences } from '#origin/admin/import/references.ts';
import {
  findTokenUser,
  revokeProductToken,
  createProductToken,
  listProductTokens,
  decryptTokens,
} from '#origin/platform/accounts/product-tokens.ts';
import { createUser, findUserByLogin } from '#origin/platform/accounts/users.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { product, productLanguage, session, user } from '#origin/platform/store/schema.ts';
import { prepareBackup } from './prepare-backup.ts';
import { type Command, command, formatCount } from './command.ts';
import {
  addLanguage,
  checkProducts,
  importProducts,
  listProducts,
  saveProducts,
  removeProduct,
  setProduct,
} from './products.ts';

const newUser = z.strictObject({
  login: z.string().regex(/^[\w.@-]{1,60}$/, { error: 'may contain only letters, digits and _ . @ -' }),
  email: z.email({ error: 'is not an e-mail address' }),
  name: z.string().min(1).optional(),
  role: role.default('editor'),
  password: z.string().min(MIN_PASSWORD_LENGTH).optional(),
});

/** Operator commands by name. `import …` and `backup …` are steps of one command. */
export const COMMANDS = {
  'token create': command(
    z.strictObject({ user: z.string().optional(), label: z.string().default('') }),
    async (context, { user: login, label }) => {
      const owner = await findTokenUser(context, login);
      const hint = 'Create one with `user create`.';
      if (!owner) throw new SortimentError('USER_MISSING', 'No user can own a token.', { hint });
      const { id, token } = await createProductToken(context, { userId: owner.id, label });
      return { message: `Token ${id} of ${owner.login}: ${token}`, id, user: owner.login, label, token };
    },
  ),
  /** Lists the tokens of the product interface, in clear text only on request. */
  'token list': command(z.strictObject({ reveal: z.boolean().default(false) }), async (context, { reveal }) => {
    const tokens = await listProductTokens(context);
    const logins = new Map((await listAccounts(context)).map(({ id, login }) => [id, login]));
    const clear = new Map<number, string | undefined>();
    if (reveal) {
      for (const userId of new Set(tokens.map((token) => token.userId))) {
        for (const { id, token } of await decryptTokens(context, userId)) clear.set(id, token);
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
    return { message: formatCount(rows.length, 'token'), rows };
  }),
  'token revoke': command(z.strictObject({ id: z.int().min(1) }), async (context, { id }) => {
    if (await revokeProductToken(context, id)) return { message: `Token ${id} is revoked.`, id };
    throw new SortimentError('TOKEN_UNKNOWN', `There is no token ${id}, or it was revoked before.`, {
      hint: 'See `token list` for the tokens and their IDs.',
    });
  }),
  'product set': setProduct,
  'product import': importProducts,
  'product remove': removeProduct,
  'product list': listProducts,
  /** Creates a user who can sign in. Without a password, generates one and shows it once. */
  'user create': command(newUser, async (context, { name, password, ...wanted }) => {
    const secret = password ?? randomBytes(12).toString('base64url');
    const { id } = await createUser(context, { ...wanted, ...(name !== undefined && { name }), password: secret });
    const passwordNote = password === undefined ? ` Password: ${secret}` : '';
    return {
      message: `User ${wanted.login} (${wanted.role}) can sign in at ${context.publicUrl}/admin/.${passwordNote}`,
      id,
      ...wanted,
      ...(password === undefined && { password: secret }),
    };
  }),
  'user list': command(z.strictObject({}), async (context) => {
    const rows = await listAccounts(context);
    return { message: formatCount(rows.length, 'user'), rows };
  }),
  /** Disables an account: ends its sessions and rejects its tokens and passwords. Its content stays. */
  'user disable': command(z.strictObject({ login: z.string() }), async (context, { login }) => {
    const found = await findUserByLogin(context, login);
    const hint = 'See `user list` for the users.';
    if (!found) throw new SortimentError('USER_UNKNOWN', `There is no user "${login}".`, { hint });
    await writeContent(context.store.db, async (tx) => {
      await tx.update(user).set({ active: false }).where(eq(user.id, found.id));
      await tx.delete(session).where(eq(session.userId, found.id));
    });
    return { message: `User ${found.login} is disabled.`, id: found.id, login: found.login };
  }),
  'language add': addLanguage,
  /** Lists languages with their number of products, the main language first. */
  'language list': command(z.strictObject({}), async (context) => {
    const rows = await context.store.db
      .select({ code: productLanguage.code, name: productLanguage.name, products: count(product.gtin) })
      .from(productLanguage)
      .leftJoin(product, eq(product.language, productLanguage.code))
      .groupBy(productLanguage.code, productLanguage.name, productLanguage.position)
      .orderBy(asc(productLanguage.position), asc(productLanguage.code));
    return { message: formatCount(rows.length, 'language'), rows };
  }),
  'backup prepare': prepareBackup,
  [IMPORT_COMMANDS.begin.name]: startImport,
  [IMPORT_COMMANDS.check.name]: checkRecords,
  [IMPORT_COMMANDS.put.name]: writeRecords,
  [IMPORT_COMMANDS.settings.name]: writeImportedSettings,
  [IMPORT_COMMANDS.settle.name]: resolveReferences,
  [IMPORT_COMMANDS.absent.name]: listMissing,
  [IMPORT_COMMANDS.productCheck.name]: checkProducts,
  [IMPORT_COMMANDS.productPut.name]: saveProducts,
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;

function listAccounts(context: OriginContext) {
  const { id, login, email, name, role, active } = user;
  return context.store.db.select({ id, login, email, name, role, active }).from(user).orderBy(asc(id));
}
