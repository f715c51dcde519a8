import { readFile } from 'node:fs/promises';
import { defineCommand } from 'citty';
import { parseGtin } from '#contracts/gtin.ts';
import { getErrorMessage } from '#contracts/sortiment-error.ts';
import { ORIGIN_ARGS } from './origin-settings.ts';
import { splitWords } from './run-command.ts';
import { UsageError } from './usage-error.ts';

/** `npm run origin -- product fetch <address> …` */
export const fetchProductsCommand = defineCommand({
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

/** Reads the first column of each line; lines that start with # are comments. */
async function readGtins(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const why = getErrorMessage(error);
    throw new UsageError(`The file "${file}" can't be read: ${why}`, 'Check its name.');
  });
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
