import { readFile } from 'node:fs/promises';
import { defineCommand, type ArgsDef, type ParsedArgs } from 'citty';
import { parseGtin } from '#contracts/gtin.ts';
import { getErrorMessage } from '#contracts/sortiment-error.ts';
import type { CommandName } from '#origin/admin/management/commands.ts';
import { readManagementOptions, ORIGIN_ARGS } from './origin-settings.ts';
import { type AnyCommand, printResult, splitWords, UsageError } from './index.ts';

/** `npm run origin -- import <address> …` */
const importSiteCommand = defineCommand({
  meta: {
    name: 'import',
    description:
      'Import new and changed content of a live publishing site through its interface. ' +
      'Exits with 0 if nothing changed, 10 if something changed.',
  },
  args: {
    ...ORIGIN_ARGS,
    address: { type: 'positional', required: true, description: 'Address of the site, https://blog.example.com' },
    user: { type: 'string', valueHint: 'login', description: 'An administrator or editor of that site' },
    'app-password': {
      type: 'string',
      valueHint: 'password',
      description:
        'Application password of that user; prefer SORTIMENT_IMPORT_PASSWORD, which other users of the machine can’t see',
    },
    'rest-root': {
      type: 'string',
      valueHint: 'segment',
      description: 'REST root of the site (default: tries the usual ones)',
    },
    'files-from': {
      type: 'string',
      valueHint: 'addresses',
      description: 'Further hosts that files may be fetched from, comma-separated, such as https://cdn.example.com',
    },
    namespaces: {
      type: 'string',
      valueHint: 'names',
      description:
        'Namespace names of the site (default: detected), such as core/v2=wp/v2,podcast/v2=acme/v2,player=acme-player',
    },
    quiet: { type: 'boolean', description: 'Print only the report' },
  },
  run: async ({ args }) => {
    const { readHttpAddress, readNamespaces, readSecret } = await import('./read-values.ts');
    const password = readSecret(args['app-password'], 'SORTIMENT_IMPORT_PASSWORD');
    const address = readHttpAddress(args.address);
    if (!args.user) throw new UsageError('--user is missing.', 'Give the login of an administrator or editor there.');
    if (password === '') {
      throw new UsageError(
        'The application password is missing.',
        'Set SORTIMENT_IMPORT_PASSWORD, or give --app-password.',
      );
    }
    const { importSite } = await import('#commands/import/import-site.ts');
    const { runImport } = await import('./run-import.ts');
    await runImport(args, ({ run, progress, signal }) =>
      importSite({
        address,
        user: args.user ?? '',
        password,
        restRoot: args['rest-root'],
        namespaces: readNamespaces(args.namespaces),
        filesFrom: splitWords(args['files-from']).map(readHttpAddress),
        run,
        progress: ({ kind, done, total }) => progress({ stage: kind, done, total }),
        signal,
      }),
    );
  },
});

/** `npm run origin -- product fetch <address> …` */
const fetchProductsCommand = defineCommand({
  meta: {
    name: 'fetch',
    description:
      'Copy products with their documents and pictures from any product interface. ' +
      'Exits with 0 if nothing changed, 10 if something changed.',
  },
  args: {
    ...ORIGIN_ARGS,
    address: {
      type: 'positional',
      required: true,
      description: 'Base address of the interface, such as https://host/api/partner/v1/',
    },
    token: { type: 'string', description: 'Token of that interface; prefer SORTIMENT_IMPORT_TOKEN' },
    user: {
      type: 'string',
      valueHint: 'login',
      description:
        'User for HTTP authentication, with the password in SORTIMENT_IMPORT_PASSWORD; if a token is given, for files only',
    },
    gtins: {
      type: 'string',
      valueHint: 'file',
      description: 'File with one GTIN per line (default: all listed products)',
    },
    languages: { type: 'string', valueHint: 'codes', description: 'Languages, such as de,en or de-at (default: all)' },
    'files-from': {
      type: 'string',
      valueHint: 'addresses',
      description: 'Further hosts that files may be fetched from',
    },
    quiet: { type: 'boolean', description: 'Print only the report' },
  },
  run: async ({ args }) => {
    const { readHttpAddress, readSecret } = await import('./read-values.ts');
    const token = readSecret(args.token, 'SORTIMENT_IMPORT_TOKEN');
    const password = readSecret(undefined, 'SORTIMENT_IMPORT_PASSWORD');
    if (args.user && password === '') {
      throw new UsageError('The password is missing.', 'Set SORTIMENT_IMPORT_PASSWORD to the password of --user.');
    }
    if (token === '' && !args.user) {
      throw new UsageError('The token is missing.', 'Set SORTIMENT_IMPORT_TOKEN, or give --token or --user.');
    }
    const gtins = args.gtins === undefined ? undefined : await readGtins(args.gtins);
    const address = readHttpAddress(args.address);
    const { importProducts } = await import('#commands/import/import-products.ts');
    const { runImport } = await import('./run-import.ts');
    await runImport(args, ({ run, progress, signal }) =>
      importProducts({
        address,
        token: token || undefined,
        account: args.user ? { user: args.user, password } : undefined,
        gtins,
        languages: splitWords(args.languages),
        filesFrom: splitWords(args['files-from']).map(readHttpAddress),
        run,
        progress: (state) => progress({ stage: 'product', ...state }),
        signal,
      }),
    );
  },
});

const language = { type: 'string', valueHint: 'code', description: 'In this language only, such as de-de' } as const;
const gtin = { type: 'positional', description: 'GTIN-13' } as const;
const login = { type: 'positional', description: 'Login name' } as const;

const group = (name: string, description: string, subCommands: Record<string, AnyCommand>) =>
  defineCommand({ meta: { name, description }, args: ORIGIN_ARGS, subCommands });

/** Defines a management command, whose arguments are its parameters unless they are converted. */
function manage(
  command: CommandName,
  description: string,
  args: ArgsDef | (() => Promise<ArgsDef>) = {},
  convert?: (given: ParsedArgs<typeof ORIGIN_ARGS>) => Record<string, unknown> | Promise<Record<string, unknown>>,
): AnyCommand {
  const readArgs = async (): Promise<ArgsDef> => (typeof args === 'function' ? args() : args);
  return defineCommand<typeof ORIGIN_ARGS>({
    meta: { name: command.replace(/^.* /, ''), description },
    args: async () => ({ ...ORIGIN_ARGS, ...(await readArgs()) }),
    run: async ({ args: given }) => {
      const names = Object.keys(await readArgs());
      const parameters = convert ? await convert(given) : Object.fromEntries(names.map((name) => [name, given[name]]));
      const { runManagement } = await import('#origin/admin/management/run-management.ts');
      printResult(await runManagement(await readManagementOptions(given), command, parameters), given.json);
    },
  });
}

/** `npm run origin -- token …`, `product …`, `user …`, `language …`, `import …`, `backup …`, `restore …`. */
export const originCommands = {
  token: group('token', 'Tokens of the product interface', {
    create: manage('token create', 'Create a token and print it', {
      user: { type: 'string', valueHint: 'login', description: 'Owner (default: the first administrator)' },
      label: { type: 'string', description: 'Label, such as what the token is for' },
    }),
    list: manage('token list', 'List all tokens, including revoked ones', {
      reveal: { type: 'boolean', description: 'Print tokens in clear text' },
    }),
    revoke: manage(
      'token revoke',
      'Revoke a token',
      { id: { type: 'positional', required: true, description: 'Number from `token list`' } },
      ({ id }) => ({ id: readNumber(String(id)) }),
    ),
  }),
  product: group('product', 'Products of the product interface', {
    set: manage(
      'product set',
      'Change fields of a product',
      {
        language,
        gtin,
        changes: {
          type: 'positional',
          valueHint: 'field=value...',
          description: 'Such as price=149.90 availability=limited; height=null clears; lists in JSON',
        },
      },
      ({ gtin, language, _ }) => ({ gtin, language, changes: _.slice(1) }),
    ),
    import: manage(
      'product import',
      'Import all records of a file, or none if one is invalid',
      {
        file: {
          type: 'positional',
          required: true,
          description: 'JSON {gtin: {language: record}}, or NDJSON with one record per line',
        },
      },
      async ({ file }) => ({ text: await readText(String(file)) }),
    ),
    fetch: fetchProductsCommand,
    remove: manage('product remove', 'Remove a product', { language, gtin }),
    list: manage('product list', 'List all records', { language }),
  }),
  user: group('user', 'Accounts of the publishing site', {
    create: manage('user create', 'Create an account', async () => {
      const { role } = await import('#contracts/core/user-routes.ts');
      return {
        login,
        email: { type: 'string', required: true, description: 'Email address' },
        name: { type: 'string', description: 'Display name (default: the login)' },
        role: { type: 'enum', options: [...role.options], default: 'editor', description: 'Role' },
        password: { type: 'string', description: 'At least 8 characters (default: one is generated and printed)' },
      };
    }),
    list: manage('user list', 'List all accounts'),
    disable: manage('user disable', 'Disable an account; its posts stay', { login }),
  }),
  language: group('language', 'Languages of the product interface', {
    add: manage('language add', 'Add a language', {
      code: { type: 'positional', description: 'Lower-case language and region, such as it-it' },
      name: { type: 'string', description: 'Native name of the language (default: the known name)' },
    }),
    list: manage('language list', 'List the languages, the main one first'),
  }),
  import: importSiteCommand,
  backup: defineCommand({
    meta: { name: 'backup', description: 'Back up store, files and key, also while the origin runs' },
    args: {
      ...ORIGIN_ARGS,
      file: { type: 'positional', required: true, description: 'New archive, such as origin.tar.gz. Keep it secret' },
    },
    run: async ({ args }) => {
      const { createBackup } = await import('#origin/admin/management/backup.ts');
      printResult(await createBackup(await readManagementOptions(args), args.file), args.json);
    },
  }),
  restore: defineCommand({
    meta: { name: 'restore', description: 'Restore a backup into an empty data folder' },
    args: { ...ORIGIN_ARGS, file: { type: 'positional', required: true, description: 'Archive of `backup`' } },
    run: async ({ args }) => {
      const { restoreBackup } = await import('#origin/admin/management/backup.ts');
      printResult(await restoreBackup(await readManagementOptions(args), args.file), args.json);
    },
  }),
};

function readNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is not a number.`, 'Give the number that `token list` shows.');
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = getErrorMessage(error);
    throw new UsageError(`The file "${file}" can't be read: ${why}`, 'Check its name.');
  }
}

/** Reads the first column of each line; lines that start with # are comments. */
async function readGtins(file: string): Promise<string[]> {
  const text = await readText(file);
  const gtins = new Set<string>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const word =
      line
        .split(/[,;\t]/)[0]
        ?.trim()
        .replaceAll('"', '') ?? '';
    if (word === '' || word.startsWith('#') || (i === 0 && /^[a-z]/i.test(word))) continue;
    const reading = parseGtin(word);
    if (!reading.ok) throw new UsageError(`${file}, line ${i + 1}: ${reading.problem}.`, reading.hint);
    gtins.add(reading.gtin13);
  }
  return [...gtins];
}
