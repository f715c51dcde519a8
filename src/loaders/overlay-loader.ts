import type { Loader } from 'astro/loaders';
import { successorChain, findSuccessor } from '#catalogue/products/successors.ts';
import type { Options } from '#config/index.ts';
import { classifyGtin, isGtin13, SortimentError } from '#contracts/index.ts';
import { overlayReferences } from '#model/overlay-entry.ts';
import { withSnapshot, type LoaderSource } from '#product-index/with-snapshot.ts';
import { createLanguageCheck } from './local-page-loader.ts';

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
        const overlays = context.store.entries().map(([id, { data, body = '', filePath }]) => {
          const { successor, accessories = [], variants = [] } = overlayReferences.parse(data);
          return {
            id,
            file: filePath ?? `content/products/${id}.mdx`,
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
  /** Path of the file, for messages. */
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
function checkOverlays(
  source: Pick<LoaderSource, 'snapshot' | 'languages' | 'warn'>,
  overlays: readonly CheckedOverlay[],
): void {
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
