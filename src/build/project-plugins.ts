import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fontProviders } from 'astro/config';
import type { Options } from '#config/index.ts';
import { editDistance } from '#contracts/edit-distance.ts';
import { SortimentError } from '#contracts/index.ts';
import { readFontFaces } from '#files/font-files.ts';
import type { VitePlugin } from './bundle/astro-internals.ts';
import { fileOf } from './bundle/sources.ts';

/**
 * Applies the options, styles and components of the project.
 *
 * @throws SortimentError CONFIG_INVALID if a file or the name of a component doesn't exist.
 */
export function projectPlugins(options: Options, root: string): VitePlugin[] {
  const components = Object.keys(options.components).length === 0 ? undefined : findComponents();
  const problems = [
    ...missingFiles(options, root),
    ...unreadableFonts(options, root),
    ...(components ? unknownComponents(options, components) : []),
  ];
  if (problems.length > 0)
    throw new SortimentError(
      'CONFIG_INVALID',
      `src/sortiment.config.ts has a problem:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
      { hint: 'Correct the options named above. Paths start at the folder of the project.' },
    );
  return [
    optionsPlugin(options, root),
    stylesPlugin(options, root),
    ...(components ? [componentsPlugin(options, root, components)] : []),
  ];
}

function missingFiles({ brand, customCss, components }: Options, root: string): string[] {
  const files = [
    ...Object.values(brand.logo ?? {}).map((file) => ['brand.logo', `public${file}`] as const),
    ...customCss.map((file, i) => [`customCss[${i}]`, file] as const),
    ...Object.entries(components).map(([name, file]) => [`components.${name}`, file] as const),
  ];
  return files
    .filter(([, file]) => !existsSync(path.join(root, file)))
    .map(([option, file]) => `${option} names ${file}, which doesn't exist`);
}

/** First bytes of WOFF2, WOFF, OTF and TTF. */
const FONT_STARTS = ['wOF2', 'wOFF', 'OTTO', 'true', '\0\u0001\0\0'];

function unreadableFonts({ brand }: Options, root: string): string[] {
  return (brand.font?.files ?? []).flatMap((file, i) => {
    try {
      const faces = readFontFaces(root, [file]);
      if (faces.length === 0) return `brand.font.files[${i}] names ${file} without "@font-face"`;
      const wrong = faces
        .flatMap(({ files }) => files[0] ?? [])
        .find((name) => !FONT_STARTS.includes(readFileSync(name, 'latin1').slice(0, 4)));
      return wrong === undefined ? [] : `brand.font.files[${i}] names ${file}: ${path.basename(wrong)} is not a font`;
    } catch {
      return `brand.font.files[${i}] names ${file}, which doesn't exist`;
    }
  });
}

const MAX_SIMILAR = 3;

function unknownComponents({ components }: Options, known: ReadonlyMap<string, string>): string[] {
  return Object.keys(components)
    .filter((name) => !known.has(name))
    .map((name) => {
      const similar = [...known.keys()].toSorted((a, b) => editDistance(a, name) - editDistance(b, name));
      return `components.${name} is not a component of Sortiment; similar are ${similar.slice(0, MAX_SIMILAR).join(', ')}`;
    });
}

const OPTIONS_MODULE = 'virtual:sortiment/options';

const DEFAULT_FONT = '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2';

/** Lets pages import the options of the site, the size of its logo, and its font. */
function optionsPlugin(options: Options, root: string): VitePlugin {
  return {
    name: 'sortiment:options',
    resolveId: { filter: { id: new RegExp(`^${OPTIONS_MODULE}$`) }, handler: (id) => `\0${id}` },
    load: async (id) =>
      id === `\0${OPTIONS_MODULE}`
        ? [
            `export default ${JSON.stringify(options)};`,
            `export const logoSize = ${JSON.stringify(await readLogoSize(options, root))};`,
            options.brand.font
              ? "export { Font as BrandFont } from 'astro:assets'; export const fontFile = undefined;"
              : `export const BrandFont = undefined; export { default as fontFile } from ${JSON.stringify(`${fileURLToPath(import.meta.resolve(DEFAULT_FONT))}?url`)};`,
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

const FONT_VARIABLE = '--brand-font';

/** Named, because packages can't refer to the type that Astro infers. */
interface LocalFont {
  provider: ReturnType<typeof fontProviders.local>;
  name: string;
  cssVariable: string;
  options: Record<string, unknown>;
}

/** Returns the font of the project for Astro, which adds a fallback with the same metrics. */
export function projectFonts({ brand: { font } }: Options, root: string): LocalFont[] {
  if (!font) return [];
  const [first, ...rest] = readFontFaces(root, font.files).map(
    ({ files: [file = ''], weight, style, unicodeRange }) => ({
      src: [file] as [string],
      ...(weight !== undefined && { weight }),
      ...((style === 'normal' || style === 'italic') && { style }),
      ...(unicodeRange && { unicodeRange: unicodeRange as [string, ...string[]] }),
    }),
  );
  if (!first) return [];
  const options = { variants: [first, ...rest] as [typeof first, ...typeof rest] };
  return [{ provider: fontProviders.local(), name: font.name, cssVariable: FONT_VARIABLE, options }];
}

/** Adds the accent colour, the font and the style sheets of the project to the styles of every page. */
function stylesPlugin({ brand: { accent, font }, customCss }: Options, root: string): VitePlugin {
  const imports = customCss.map((file) => `@import ${JSON.stringify(path.join(root, file))};`);
  const accentRule = `@layer tokens { :root { --accent: light-dark(${accent.light}, ${accent.dark}); } }`;
  const fontRule = `@layer tokens { :root { --font: var(${FONT_VARIABLE}, system-ui, sans-serif); } }`;
  const withoutFont = (code: string) => code.replace(/@import '.\/fonts.css'[^;]*;\n/, '');
  return {
    name: 'sortiment:styles',
    enforce: 'pre',
    transform: {
      filter: { id: /\/styles\/index\.css(?:\?|$)/ },
      handler: (code, id) =>
        path.normalize(fileOf(id)) === STYLES
          ? {
              code: [...(font ? [withoutFont(code), ...imports, fontRule] : [code, ...imports]), accentRule].join('\n'),
              map: null,
            }
          : undefined,
    },
  };
}

const COMPONENTS_FOLDER = fileURLToPath(new URL('../components', import.meta.url));

/** Returns the files of all components by name. */
function findComponents(): Map<string, string> {
  const files = globSync('**/*.astro', { cwd: COMPONENTS_FOLDER });
  return new Map(files.map((file) => [path.basename(file, '.astro'), path.join(COMPONENTS_FOLDER, file)]));
}

/** Resolves imports of a component to its replacement in the project, which itself may import the original. */
function componentsPlugin({ components }: Options, root: string, known: ReadonlyMap<string, string>): VitePlugin {
  const replacements = new Map(
    Object.entries(components).map(([name, file]) => [known.get(name), path.join(root, file)]),
  );
  return {
    name: 'sortiment:components',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\.astro$/ },
      handler: async function (source, importer) {
        const resolved = await this.resolve(source, importer, { skipSelf: true });
        const replacement = replacements.get(resolved?.id);
        return replacement === undefined || replacement === path.normalize(fileOf(importer ?? ''))
          ? resolved
          : replacement;
      },
    },
  };
}
