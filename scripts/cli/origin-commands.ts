import { messageOf } from '#contracts/index.ts';
import { readFile } from 'node:fs/promises';
import { defineCommand } from 'citty';
import { role } from '#contracts/core/index.ts';
import { fetchProductsCommand } from './fetch-products.ts';
import { importSiteCommand } from './import-site.ts';
import { manageOrigin } from './manage-origin.ts';
import { ORIGIN_ARGS } from './origin-settings.ts';
import type { AnyCommand } from './run-command.ts';
import { UsageError } from './usage-error.ts';

const language = { type: 'string', valueHint: 'code', description: 'In this language only, such as de-de' } as const;
const gtin = { type: 'positional', description: 'GTIN-13' } as const;
const ROLES: string[] = [...role.options];
const login = { type: 'positional', description: 'Name to sign in with' } as const;

const group = (name: string, description: string, subCommands: Record<string, AnyCommand>) =>
  defineCommand({ meta: { name, description }, args: ORIGIN_ARGS, subCommands });

/** `npm run origin -- token …`, `product …`, `user …`, `language …`, `demo …`, `import …`. */
export const originCommands = {
  token: group('token', 'Tokens of the product interface', {
    create: defineCommand({
      meta: { name: 'create', description: 'Makes a token and prints it' },
      args: {
        ...ORIGIN_ARGS,
        user: { type: 'string', valueHint: 'login', description: 'Its owner; else the first administrator' },
        label: { type: 'string', description: 'What it is for' },
      },
      run: ({ args }) => manageOrigin(args, 'token create', { user: args.user, label: args.label }),
    }),
    list: defineCommand({
      meta: { name: 'list', description: 'Lists all tokens, revoked ones too' },
      args: { ...ORIGIN_ARGS, reveal: { type: 'boolean', description: 'Prints them in clear' } },
      run: ({ args }) => manageOrigin(args, 'token list', { reveal: args.reveal }),
    }),
    revoke: defineCommand({
      meta: { name: 'revoke', description: 'Ends a token' },
      args: { ...ORIGIN_ARGS, id: { type: 'positional', required: true, description: 'Its number in `token list`' } },
      run: ({ args }) => manageOrigin(args, 'token revoke', { id: readNumber(args.id) }),
    }),
  }),
  product: group('product', 'Products of the product interface', {
    set: defineCommand({
      meta: { name: 'set', description: 'Changes fields of a product' },
      args: {
        ...ORIGIN_ARGS,
        language,
        gtin,
        changes: {
          type: 'positional',
          valueHint: 'field=value...',
          description: 'Such as price=149.90 availability=limited; height=null clears; lists in JSON',
        },
      },
      run: ({ args }) =>
        manageOrigin(args, 'product set', { gtin: args.gtin, language: args.language, changes: args._.slice(1) }),
    }),
    import: defineCommand({
      meta: { name: 'import', description: 'Puts in all records of a file, or none' },
      args: {
        ...ORIGIN_ARGS,
        file: {
          type: 'positional',
          required: true,
          description: 'JSON {gtin: {language: record}}, or NDJSON with a record a line',
        },
      },
      run: async ({ args }) => manageOrigin(args, 'product import', { text: await readText(args.file) }),
    }),
    fetch: fetchProductsCommand,
    remove: defineCommand({
      meta: { name: 'remove', description: 'Takes a product off the interface' },
      args: { ...ORIGIN_ARGS, language, gtin },
      run: ({ args }) => manageOrigin(args, 'product remove', { gtin: args.gtin, language: args.language }),
    }),
    list: defineCommand({
      meta: { name: 'list', description: 'Lists all records' },
      args: { ...ORIGIN_ARGS, language },
      run: ({ args }) => manageOrigin(args, 'product list', { language: args.language }),
    }),
  }),
  user: group('user', 'Accounts of the publishing site', {
    create: defineCommand({
      meta: { name: 'create', description: 'Makes an account that can sign in' },
      args: {
        ...ORIGIN_ARGS,
        login,
        email: { type: 'string', required: true, description: 'Its address' },
        name: { type: 'string', description: 'Shown as author; else the login' },
        role: { type: 'enum', options: ROLES, default: 'editor', description: 'What it may do' },
        password: { type: 'string', description: 'At least 8 characters; else one is made and printed' },
      },
      run: ({ args }) => {
        const { login, email, name, role, password } = args;
        return manageOrigin(args, 'user create', { login, email, name, role, password });
      },
    }),
    list: defineCommand({
      meta: { name: 'list', description: 'Lists all accounts' },
      args: { ...ORIGIN_ARGS },
      run: ({ args }) => manageOrigin(args, 'user list', {}),
    }),
    disable: defineCommand({
      meta: { name: 'disable', description: 'Disable an account; its posts stay' },
      args: { ...ORIGIN_ARGS, login },
      run: ({ args }) => manageOrigin(args, 'user disable', { login: args.login }),
    }),
  }),
  language: group('language', 'Languages of the product interface', {
    add: defineCommand({
      meta: { name: 'add', description: 'Puts a language on the list' },
      args: {
        ...ORIGIN_ARGS,
        code: { type: 'positional', description: 'Lower-case language and region, such as it-it' },
        name: { type: 'string', description: 'Its own name for itself; known for most' },
      },
      run: ({ args }) => manageOrigin(args, 'language add', { code: args.code, name: args.name }),
    }),
    list: defineCommand({
      meta: { name: 'list', description: 'Lists the languages, the main one first' },
      args: { ...ORIGIN_ARGS },
      run: ({ args }) => manageOrigin(args, 'language list', {}),
    }),
  }),
  demo: group('demo', 'The content of the demo', {
    remove: defineCommand({
      meta: {
        name: 'remove',
        description: 'Removes what the demo has brought and nobody has changed or uses; names what stays',
      },
      args: { ...ORIGIN_ARGS },
      run: ({ args }) => manageOrigin(args, 'demo remove', {}),
    }),
  }),
  import: importSiteCommand,
};

function readNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is not a number.`, 'Give the number that `token list` shows.');
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = messageOf(error);
    throw new UsageError(`The file "${file}" can't be read: ${why}`, 'Check its name.');
  }
}
