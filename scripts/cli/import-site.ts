import { defineCommand } from 'citty';
import { ORIGIN_ARGS } from './origin-settings.ts';
import { readHttpAddress } from './read-http-address.ts';
import { readSecret } from './read-secret.ts';
import { runImport } from './run-import.ts';
import { splitWords } from './split-words.ts';
import { UsageError } from './usage-error.ts';

/** `npm run origin -- import <address> …` */
export const importSiteCommand = defineCommand({
  meta: {
    name: 'import',
    description:
      'Import a live publishing site through its interface: what is new or has changed since the last import. ' +
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
    quiet: { type: 'boolean', description: 'Print only the report' },
  },
  run: async ({ args }) => {
    const password = readSecret(args['app-password'], 'SORTIMENT_IMPORT_PASSWORD');
    const address = readHttpAddress(args.address);
    if (!args.user) throw new UsageError('--user is missing.', 'Give the login of an administrator or editor there.');
    if (password === '') {
      throw new UsageError(
        'The application password is missing.',
        'Set SORTIMENT_IMPORT_PASSWORD, or give --app-password.',
      );
    }
    const { importSite } = await import('#import/index.ts');
    await runImport(args, ({ run, progress, signal }) =>
      importSite({
        address,
        user: args.user ?? '',
        password,
        restRoot: args['rest-root'],
        filesFrom: splitWords(args['files-from']).map(readHttpAddress),
        run,
        progress: ({ kind, done, total }) => progress({ stage: kind, done, total }),
        signal,
      }),
    );
  },
});
