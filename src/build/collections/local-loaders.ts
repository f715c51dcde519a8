import { fileURLToPath } from 'node:url';
import type { Loader, LoaderContext } from 'astro/loaders';
import { contentFolders, readContent } from '#files/content-files.ts';
import { successorChain, findSuccessor } from '#catalogue/products/listed-product.ts';
import type { Options } from '#config/index.ts';
import { classifyGtin, isGtin13, SortimentError } from '#contracts/index.ts';
import { overlayReferences } from '#catalogue/entries/overlay-entry.ts';
import { isDocumentField } from '#contracts/product/document-kinds.ts';
import type { LoaderSource } from '#catalogue/read-model/with-snapshot.ts';
import { withSnapshot } from './snapshot-loaders.ts';
import { normSlug } from '#catalogue/norms/norm-groups.ts';
import { normEntry } from '#catalogue/entries/entries.ts';
import { isReservedPath } from '#catalogue/addresses/paths.ts';
import path from 'node:path';

/**
 * Collection `overlays`: texts and links for products, checked against the existing products.
 * @param files Reads the files.
 */
export function overlayLoader(options: Options, files: Loader): Loader {
  return {
    name: 'sortiment-overlays',
    load: (context) =>
      withSnapshot(context, options, async (source) => {
        await files.load(context);
        const kinds = options.documentKinds.map(({ key }) => key);
        const overlays = context.store.entries().map(([id, { data, body = '', filePath }]) => {
          const { successor, accessories = [], variants = [] } = overlayReferences.parse(data);
          const file = filePath ?? `content/products/${id}.mdx`;
          for (const kind of Object.keys(Object(data['documents'])))
            if (isDocumentField(kind) || !kinds.includes(kind))
              source.warn(
                `${file}: \`documents.${kind}\` isn't shown. Correct its name, or add the kind to \`documentKinds\` of src/sortiment.config.ts.`,
              );
          for (const name of Object.keys(Object(data['fields'])))
            if (!Object.hasOwn(options.product.fields, name))
              source.warn(
                `${file}: \`fields.${name}\` isn't declared and isn't shown. Correct it, or declare it in \`product.fields\` of src/sortiment.config.ts.`,
              );
          return {
            id,
            file,
            successor,
            accessories,
            variants: typeof variants === 'string' ? [] : variants,
            hasText: body.trim() !== '',
          };
        });
        checkOverlays(source, overlays);
      }),
  };
}

/** Maximum number of files named in a warning. */
const MAX_NAMED = 3;

interface CheckedOverlay {
  /** `<language>/<gtin>`, or `<gtin>` for all languages. */
  id: string;
  file: string;
  successor: string | undefined;
  accessories: readonly string[];
  /** Only variants named by their GTIN. */
  variants: readonly string[];
  hasText: boolean;
}

/**
 * Warns about overlays without effect, such as those of products without a page or texts without a language. These are
 * no errors, because a product may leave the snapshot while its overlay stays. Leftover demo files share one warning.
 * @throws SortimentError SUCCESSOR_CYCLE if successors form a cycle.
 */
function checkOverlays(source: LoaderSource, overlays: readonly CheckedOverlay[]): void {
  const { snapshot, languages, warn } = source;
  const byId = new Map(overlays.map((overlay) => [overlay.id, overlay]));
  const hasPage = (gtin: string) => languages.some((language) => snapshot.product(gtin, language));
  const checkLanguage = createLanguageCheck(source);
  const leftovers = new Set(overlays.filter(({ id }) => classifyGtin(gtinOf(id)) === 'demo' && !hasPage(gtinOf(id))));
  if (leftovers.size > 1) warn(describeLeftovers([...leftovers]));
  else leftovers.clear();
  for (const overlay of overlays) {
    if (leftovers.has(overlay)) continue;
    const { id, file, successor, accessories, variants, hasText } = overlay;
    const [gtinInName = '', language] = id.split('/').toReversed();
    if (language === undefined || checkLanguage(file, language)) {
      if (!isGtin13(gtinInName))
        warn(`${file}: the file name isn't a GTIN, so it isn't shown. Rename it to the GTIN of its product.`);
      else if (!hasPage(gtinInName))
        warn(
          `${file}: its product has no page, so it isn't shown. Correct the GTIN in the file name, or add it to content/assortment/ and run \`npm run sync\`.`,
        );
    }
    if (hasText && !id.includes('/')) {
      warn(
        `${file}: its text has no language and isn't shown. Move the file to a language folder such as ${languages[0]}/.`,
      );
    }
    if (successor !== undefined) rejectCycles(id, languages, (overlayId) => byId.get(overlayId));
    const references = [
      ...(successor === undefined ? [] : [{ role: 'successor', gtin: successor }]),
      ...accessories.map((gtin) => ({ role: 'accessory', gtin })),
      ...variants.map((gtin) => ({ role: 'variant', gtin })),
    ];
    for (const { role, gtin } of references) {
      if (role === 'accessory' && id.endsWith(gtin))
        warn(`${file}: the product is listed as its own accessory. Remove ${gtin} from \`accessories\`.`);
      if (hasPage(gtin)) continue;
      warn(
        `${file}: its ${role} ${gtin} has no page and isn't linked. Correct the GTIN, or add it to content/assortment/ and run \`npm run sync\`.`,
      );
    }
  }
}

function gtinOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

function describeLeftovers(overlays: readonly CheckedOverlay[]): string {
  const files = overlays.map(({ file }) => file).toSorted();
  const sample = files.slice(0, MAX_NAMED).join(', ') + (files.length > MAX_NAMED ? ' and others' : '');
  return `${files.length} files in content/products are for products of the demo, which have no page: ${sample}. Delete them.`;
}

function rejectCycles(
  id: string,
  languages: readonly string[],
  overlay: (id: string) => CheckedOverlay | undefined,
): void {
  const gtin = gtinOf(id);
  for (const language of id.includes('/') ? [id.slice(0, id.lastIndexOf('/'))] : languages) {
    const chain = successorChain(gtin, (of) => findSuccessor(language, of, overlay));
    if (new Set(chain).size === chain.length && !chain.includes(gtin)) continue;
    const files = chain.flatMap((of) => overlay(`${language}/${of}`)?.file ?? overlay(of)?.file ?? []);
    throw new SortimentError(
      'SUCCESSOR_CYCLE',
      `In ${language}, successors form a cycle: ${[gtin, ...chain].join(' -> ')}.`,
      { hint: `Remove \`successor\` from one of ${[...new Set(files)].toSorted().join(', ')}.` },
    );
  }
}

/**
 * Collection `norms`: texts about norms. Pages find the text of a norm by file name, so each file has to be named after
 * its norm.
 * @param files Reads the files.
 * @throws SortimentError NORM_MISNAMED
 */
export function normLoader(files: Loader): Loader {
  return {
    name: 'sortiment-norms',
    load: async (context) => {
      await files.load(context);
      for (const [id, { data, filePath = `content/norms/${id}.yaml` }] of context.store.entries()) {
        const { norm } = normEntry.pick({ norm: true }).parse({ norm: data['norm'] });
        const slug = normSlug(norm);
        if (slug === id) continue;
        throw new SortimentError('NORM_MISNAMED', `${filePath} is about "${norm}", but is named after another norm.`, {
          hint: `Rename it to ${slug}.yaml, or correct \`norm\`. If that file already exists, delete one of them.`,
        });
      }
    },
  };
}

const FOLDER = 'content/pages/';

/**
 * Collection `localPages`: pages written in this project, with the id `<language>/<slug path>` from their file names.
 * Warns about pages that are never shown.
 * @param files Reads the files.
 * @throws SortimentError PAGE_MISNAMED
 */
export function localPageLoader(options: Options, files: Loader): Loader {
  return {
    name: 'sortiment-local-pages',
    load: (context) =>
      withSnapshot(context, options, async (source) => {
        await files.load(context);
        const checkLanguage = createLanguageCheck(source);
        for (const [id, { filePath }] of context.store.entries()) {
          const [language = '', ...rest] = id.split('/');
          const file = filePath ?? `${FOLDER}${id}.mdx`;
          // Search and links rely on the file name.
          if (!file.endsWith(`${FOLDER}${id}.mdx`))
            throw new SortimentError('PAGE_MISNAMED', `${file}: the file name doesn't match the address of its page.`, {
              hint: `Rename it to ${id}.mdx. Use only lowercase letters, digits and hyphens.`,
            });
          checkLanguage(file, language);
          if (isReservedPath(rest.join('/')))
            source.warn(`${file} is skipped: its address is reserved for the catalogue. Rename it.`);
        }
      }),
  };
}

/**
 * Creates a check for files in a language folder. It returns false, with one warning per folder, if the site has no
 * such language. Known languages that aren't built pass.
 */
function createLanguageCheck({ snapshot, languages, warn }: LoaderSource) {
  const known = new Set([...languages, ...snapshot.languages().map(({ code }) => code)]);
  const reported = new Set<string>();
  return (file: string, language: string): boolean => {
    if (known.has(language)) return true;
    if (!reported.has(language)) {
      reported.add(language);
      const folders = languages.map((code) => `${code}/`).join(', ');
      warn(
        `${path.posix.dirname(file)}/: "${language}" isn't a language of the site, so its files aren't shown. Move them to ${folders}, or delete them.`,
      );
    }
    return false;
  };
}

/**
 * Loads the YAML or JSON files of a folder: those of Sortiment, and those of the project, whose values replace others
 * with the same key.
 */
export function contentLoader(folder: string, ending: '.json' | '.yaml'): Loader {
  return {
    name: 'sortiment-content',
    load: async (context) => {
      const root = fileURLToPath(context.config.root);
      const load = async (): Promise<void> => storeContent(context, root, readContent(root, folder, ending));
      await load();
      const folders = contentFolders(root).map((parent) => path.join(parent, folder));
      const reload = (changed: string): void => {
        if (!folders.includes(path.dirname(changed))) return;
        // An error must not end the dev server: a file may be saved while it is incomplete.
        load().catch((error: unknown) => context.logger.error(String(error)));
      };
      context.watcher?.add(folders);
      for (const event of ['add', 'change', 'unlink'] as const) context.watcher?.on(event, reload);
    },
  };
}

async function storeContent(
  { store, parseData, generateDigest }: LoaderContext,
  root: string,
  contents: ReturnType<typeof readContent>,
): Promise<void> {
  const entries = await Promise.all(
    Array.from(contents, async ([id, content]) => {
      const filePath = path.relative(root, content.file).split(path.sep).join('/');
      const data = await parseData({ id, data: content.data, filePath });
      return { id, data, filePath, digest: generateDigest(data) };
    }),
  );
  store.clear();
  for (const entry of entries) store.set(entry);
}
