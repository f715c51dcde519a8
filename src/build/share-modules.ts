import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroUserConfig } from 'astro';

type VitePlugin = Extract<
  NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number],
  { name: string; resolveId?: unknown }
>;

/** Module that pages share with their build. */
const RENDER_CONTEXT = '#catalogue/site/render-context.ts';
/** Modules from which `content.config.ts` creates collections. */
const COLLECTION_MODULES = [
  '#i18n/index.ts',
  '#build/collections/local-loaders.ts',
  '#build/collections/snapshot-loaders.ts',
  '#catalogue/entries/entries.ts',
  '#sortiment.config.ts',
];
/** Prefix of modules that unbundled code loads from Node. */
const FROM_NODE = '\0sortiment:from-node:';

/**
 * Loads the module that pages share with their build from Node, instead of a copy in the bundle. Bundles import it by
 * the name that the project uses, wherever the project is located.
 *
 * In a build, Node also loads the modules for collections: having Vite transform hundreds of modules took a third of
 * the time of Astro's process. In development, Vite loads them to detect changes.
 */
export function shareModules(command: 'dev' | 'build' | 'preview' | 'sync'): VitePlugin[] {
  const pageModules = fromNode('render-context', [RENDER_CONTEXT], { isExternal: true });
  return command === 'dev'
    ? [pageModules]
    : [pageModules, fromNode('collections', COLLECTION_MODULES, { isExternal: false })];
}

/**
 * Creates a plugin that loads modules from Node.
 *
 * @param names Specifiers as the project imports them.
 * @param options `isExternal`: bundles import the modules instead of copying them.
 */
function fromNode(title: string, names: readonly string[], { isExternal }: { isExternal: boolean }): VitePlugin {
  const files = new Map(names.map((name) => [fileURLToPath(import.meta.resolve(name)), name]));
  const endings = names.map((name) => RegExp.escape(path.basename(name.slice(1))));
  return {
    name: `sortiment:${title}`,
    enforce: 'pre',
    resolveId: {
      filter: { id: new RegExp(`[#/](?:${endings.join('|')})$`) },
      handler: async function (source, importer) {
        const isBundle = this.environment.mode === 'build';
        if (isBundle && !isExternal) return null;
        const resolved = await this.resolve(source, importer, { skipSelf: true });
        const name = files.get(resolved?.id ?? '');
        if (resolved === null || name === undefined) return resolved;
        return isBundle ? { id: name, external: true } : `${FROM_NODE}${resolved.id}`;
      },
    },
    load: (id) => {
      const file = id.startsWith(FROM_NODE) ? id.slice(FROM_NODE.length) : '';
      return files.has(file) ? codeFromNode(file) : undefined;
    },
  };
}

/** Returns the source of a module that re-exports what Node has loaded from a file. */
function codeFromNode(file: string): string {
  const loaded: unknown = createRequire(import.meta.url)(file);
  return [
    `import { createRequire } from 'node:module';`,
    `const loaded = createRequire(${JSON.stringify(file)})(${JSON.stringify(file)});`,
    ...Object.keys(Object(loaded)).map((name) =>
      name === 'default' ? 'export default loaded.default;' : `export const ${name} = loaded.${name};`,
    ),
  ].join('\n');
}
