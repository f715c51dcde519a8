import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { JSON_ARG, runScript, UsageError } from './cli/index.ts';
import { ROOT } from './cli/load-settings.ts';

/** The packages of the documentation site are large, so they are installed separately. */
const FOLDER = path.join(ROOT, '.config/docs');
const ASTRO = path.join(FOLDER, 'node_modules/astro/dist/index.js');
const OUTPUT = '.sortiment/docs';

export default await runScript(import.meta, {
  meta: { name: 'npm run docs --', description: `Build the documentation site in ${OUTPUT}/.` },
  args: {
    url: {
      type: 'string',
      valueHint: 'address',
      default: 'http://localhost:4321',
      description: 'Public address of the site, including its folder',
    },
    source: {
      type: 'string',
      valueHint: 'address',
      description:
        'Address of the source files, such as `https://github.com/acme/site/blob/main`. Without it, names of files are no links',
    },
    json: JSON_ARG,
  },
  run: async ({ args }) => {
    const url = URL.parse(args.url);
    if (!url) throw new UsageError(`--url is "${args.url}", which is not an address.`);
    if (!existsSync(ASTRO))
      throw new UsageError('The packages are not installed.', 'Run: npm ci --prefix .config/docs');
    process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
    // Astro places modules for rendering below this folder, next to the packages that they import.
    process.chdir(FOLDER);
    if (args.source) process.env['DOCS_SOURCE'] = args.source.replace(/\/$/, '');
    const { build } = (await import(pathToFileURL(ASTRO).href)) as typeof import('astro');
    await build({ root: FOLDER, site: url.origin, base: url.pathname, logLevel: 'error' });
    console.log(args.json ? JSON.stringify({ folder: OUTPUT }) : `Built the documentation: ${OUTPUT}/`);
  },
});
