import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { STOCK_NAMESPACES } from '#contracts/namespaces.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import type { RunningOrigin } from '#origin/server/index.ts';
import { limitMemory } from './cli/limit-memory.ts';
import { runScript, UsageError } from './cli/index.ts';
import { onStop } from './cli/stop.ts';
import { originCommands } from './cli/origin-commands.ts';
import { loadOptions, ROOT } from './cli/load-settings.ts';
import { ORIGIN_ARGS, readOriginSettings } from './cli/origin-settings.ts';

export default await runScript(import.meta, {
  meta: {
    name: 'npm run origin --',
    description: 'Run the origin: both interfaces with their own store.',
  },
  args: {
    ...ORIGIN_ARGS,
    port: { type: 'string', valueHint: 'number', description: 'Port to listen on (default: PORT, then 4330)' },
    host: { type: 'string', default: '127.0.0.1', description: 'Address to listen on' },
    'public-url': {
      type: 'string',
      valueHint: 'address',
      description: 'Public address for links (default: SITE_URL, then its own address)',
    },
    bootstrap: {
      type: 'string',
      valueHint: 'file',
      description: 'JSON file with site and users for the first start (default: BOOTSTRAP)',
    },
    demo: {
      type: 'boolean',
      description: 'Add the demo content if the store is empty',
      negativeDescription: 'No demo content: the default',
    },
    jsonp: { type: 'boolean', description: 'Allow JSONP (_jsonp=<function>); also ORIGIN_JSONP=true' },
    'trusted-proxies': {
      type: 'string',
      valueHint: 'number or ranges',
      description: 'Trusted proxies for X-Forwarded-For: their number or addresses (default: TRUSTED_PROXIES)',
    },
    'cache-mb': {
      type: 'string',
      valueHint: 'number',
      description: 'Memory for cached responses, 0 for none (default: ORIGIN_CACHE_MB, then 64)',
    },
    module: {
      type: 'string',
      valueHint: 'file',
      description: 'Serve a further namespace: the default export of this file',
    },
    'stock-names': { type: 'boolean', description: 'Use the namespace names of standard publishing servers' },
  },
  subCommands: originCommands,
  run: async ({ args }) => {
    limitMemory();
    const settings = await readOriginSettings(args);
    const { catalogueOptions, importOrigin } = await import('#build/upstreams/embedded-origin.ts');
    const { startOrigin, MODULES } = await (await importOrigin()).loadOrigin();
    const origin = await startOrigin({
      ...settings,
      ...catalogueOptions(await loadOptions(), ROOT),
      host: args.host,
      demo: args.demo ?? false,
      jsonp: args.jsonp ?? settings.jsonp,
      modules: args.module === undefined ? MODULES : [...MODULES, await loadModule(args.module)],
      namespaces: args['stock-names'] ? STOCK_NAMESPACES : {},
      log: (line) => process.stderr.write(`${line}\n`),
    });
    onStop(origin.close);
    const { url, publicUrl, restRoot } = origin;
    if (args.json) console.log(JSON.stringify({ url, publicUrl, restRoot }));
    else console.log(await formatAddresses(origin, settings.dataFolder));
  },
});

async function loadModule(file: string): Promise<NamespaceModule> {
  const { default: module } = (await import(pathToFileURL(path.resolve(file)).href)) as { default?: NamespaceModule };
  if (typeof module?.serve === 'function') return module;
  throw new UsageError(`${file} has no default export that serves routes.`, 'Export a NamespaceModule from it.');
}

async function formatAddresses({ url, publicUrl, restRoot }: RunningOrigin, dataFolder: string): Promise<string> {
  const { PRODUCT_ROOT } = await import('#contracts/product/index.ts');
  const rows = [
    ['Product interface', `${url}/${PRODUCT_ROOT}`],
    ['Publishing interface', `${url}/${restRoot}/`],
    ['Accounts and tokens', `${url}/admin/`],
    ...(publicUrl === url ? [] : [['Address in links', publicUrl]]),
    ['Data', path.relative(process.cwd(), dataFolder) || '.'],
  ];
  const lines = rows.map(([name = '', value = '']) => `  ${name.padEnd(22)}${value}`);
  return `The origin is at ${url}. Ctrl+C stops it.\n\n${lines.join('\n')}`;
}
