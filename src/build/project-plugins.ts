import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroUserConfig } from 'astro';
import type { Options } from '#config/index.ts';

export type VitePlugin = Extract<
  NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number],
  { name: string; resolveId?: unknown }
>;

const OPTIONS_MODULE = 'virtual:sortiment/options';

/** Lets pages import the options of the site, and the size of its logo. */
export function optionsPlugin(options: Options, root: string): VitePlugin {
  return {
    name: 'sortiment:options',
    resolveId: { filter: { id: new RegExp(`^${OPTIONS_MODULE}$`) }, handler: (id) => `\0${id}` },
    load: async (id) =>
      id === `\0${OPTIONS_MODULE}`
        ? [
            `export default ${JSON.stringify(options)};`,
            `export const logoSize = ${JSON.stringify(await readLogoSize(options, root))};`,
          ].join('\n')
        : undefined,
  };
}

async function readLogoSize({ brand }: Options, root: string) {
  if (!brand.logo) return undefined;
  // Loaded on demand because it includes image processing.
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(path.join(root, 'public', brand.logo.light)).metadata();
  return { width, height };
}

const STYLES = fileURLToPath(import.meta.resolve('#styles/index.css'));

/** Adds the accent colour of the site to the styles of every page. */
export function stylesPlugin({ brand: { accent } }: Options): VitePlugin {
  return {
    name: 'sortiment:styles',
    transform: {
      order: 'pre',
      filter: { id: /\/styles\/index\.css(?:\?|$)/ },
      handler: (code, id) =>
        path.resolve(id.replace(/\?.*$/s, '')) === STYLES
          ? {
              code: `${code}\n@layer tokens { :root { --accent: light-dark(${accent.light}, ${accent.dark}); } }\n`,
              map: null,
            }
          : undefined,
    },
  };
}
