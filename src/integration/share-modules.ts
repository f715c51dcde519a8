import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroUserConfig } from 'astro';

type VitePlugin = Extract<
  NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number],
  { name: string; resolveId?: unknown }
>;

/** What pages share with their build. */
const RENDER_CONTEXT = '#catalogue/port/render-context.ts';
/** What `content.config.ts` makes collections with. */
const OF_COLLECTIONS = ['#i18n/index.ts', '#loaders/index.ts', '#model/entries.ts', '#sortiment.config.ts'];
/** Before the path of a module that code without a bundle has from Node. */
const FROM_NODE = '\0sortiment:from-node:';

/**
 * Lets pages have the module that they share with their build from Node, as the build has it, and not as a copy in their
 * bundle. A bundle names it as the project does, wherever the project lies.
 *
 * In a build, Node also loads what collections are made with: Vite would transform hundreds of modules for them, and that
 * was a third of what Astro's process took. In development Vite loads them, as it notices when they change.
 */
export function shareModules(command: 'dev' | 'build' | 'preview' | 'sync'): VitePlugin[] {
  const ofPages = fromNode('render-context', [RENDER_CONTEXT], { isExternal: true });
  return command === 'dev' ? [ofPages] : [ofPages, fromNode('collections', OF_COLLECTIONS, { isExternal: false })];
}

/**
 * Has modules from Node.
 * @param names As the project imports them.
 * @param options Whether bundles import them too, instead of having copies.
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

/** A module that gives what Node has loaded from a file. */
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
