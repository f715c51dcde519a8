import { createRequire } from 'node:module';
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
 * A build has all that collections are made with from Node, too: Vite would transform hundreds of modules for them, and
 * that was a third of what Astro's process took. In development they are Vite's, which notices when they change.
 */
export function shareModules(command: 'dev' | 'build' | 'preview' | 'sync'): VitePlugin {
  const shared = command === 'dev' ? [RENDER_CONTEXT] : [RENDER_CONTEXT, ...OF_COLLECTIONS];
  const files = new Map(shared.map((name) => [fileURLToPath(import.meta.resolve(name)), name]));
  return {
    name: 'sortiment:shared-modules',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\/(?:render-context|index|entries|sortiment\.config)\.ts$/ },
      handler: async function (source, importer) {
        const resolved = await this.resolve(source, importer, { skipSelf: true });
        const name = files.get(resolved?.id ?? '');
        if (resolved === null || name === undefined) return resolved;
        if (this.environment.mode !== 'build') return `${FROM_NODE}${resolved.id}`;
        return name === RENDER_CONTEXT ? { id: name, external: true } : resolved;
      },
    },
    load: (id) => (id.startsWith(FROM_NODE) ? codeFromNode(id.slice(FROM_NODE.length)) : undefined),
  };
}

/** A module that gives what Node has loaded from a file. */
function codeFromNode(file: string): string {
  const loaded: unknown = createRequire(import.meta.url)(file);
  const names = Object.keys(Object(loaded)).map((name) => (name === 'default' ? 'default: standard' : name));
  return `import { createRequire } from 'node:module';
export const { ${names.join(', ')} } = createRequire(${JSON.stringify(file)})(${JSON.stringify(file)});
${names.includes('default: standard') ? 'export { standard as default };' : ''}`;
}
