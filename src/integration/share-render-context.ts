import { fileURLToPath } from 'node:url';
import type { AstroUserConfig } from 'astro';

type VitePlugin = Extract<
  NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number],
  { name: string; resolveId?: unknown }
>;

const SHARED = '#catalogue/port/render-context.ts';
/** The same for code that Vite runs without a bundle. */
const FROM_NODE = '\0sortiment:render-context';

/**
 * Lets pages have the module that they share with their build from Node, as the build has it, and not as a copy in their
 * bundle. A bundle names it as the project does, wherever the project lies.
 */
export function shareRenderContext(): VitePlugin {
  const file = fileURLToPath(import.meta.resolve(SHARED));
  return {
    name: 'sortiment:render-context',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\/render-context\.ts$/ },
      handler: async function (source, importer) {
        const resolved = await this.resolve(source, importer, { skipSelf: true });
        if (resolved?.id !== file) return resolved;
        return this.environment.mode === 'build' ? { id: SHARED, external: true } : FROM_NODE;
      },
    },
    load: (id) =>
      id === FROM_NODE
        ? `import { createRequire } from 'node:module';
export const { renderContext } = createRequire(${JSON.stringify(file)})(${JSON.stringify(file)});`
        : undefined,
  };
}
