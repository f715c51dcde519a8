import type { Loader } from 'astro/loaders';
import { successorChain, successorOf } from '#catalogue/products/successors.ts';
import type { Options } from '#config/index.ts';
import { classifyGtin, isGtin13, SortimentError } from '#contracts/index.ts';
import { overlayReferences } from '#model/overlay-entry.ts';
import { withSnapshot, type LoaderSource } from '#product-index/with-snapshot.ts';
import { languageCheck } from './find-language.ts';

/**
 * Collection `overlays`: what is written to products, checked against the products that there are.
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

/** Files that a warning names. */
const MAX_NAMED = 3;

interface CheckedOverlay {
  /** `<language>/<gtin>`, or `<gtin>` for all languages. */
  id: string;
  /** As a person finds it. */
  file: string;
  successor: string | undefined;
  accessories: readonly string[];
  /** As far as they are named by their GTINs. */
  variants: readonly string[];
  hasText: boolean;
}

/**
 * Warns of overlays without effect: products without a page, a text in no language. No errors, because a product may
 * leave the snapshot while its overlay stays. Leftover files of the demo share one warning.
 * @throws SortimentError SUCCESSOR_CYCLE when products follow each other in a circle.
 */
function checkOverlays(
  source: Pick<LoaderSource, 'snapshot' | 'languages' | 'warn'>,
  overlays: readonly CheckedOverlay[],
): void {
  const { snapshot, languages, warn } = source;
  const byId = new Map(overlays.map((overlay) => [overlay.id, overlay]));
  const hasPage = (gtin: string) => languages.some((language) => snapshot.product(gtin, language));
  const checkLanguage = languageCheck(source);
  const leftovers = new Set(overlays.filter(({ id }) => classifyGtin(gtinOf(id)) === 'demo' && !hasPage(gtinOf(id))));
  if (leftovers.size > 1) warn(describeLeftovers([...leftovers]));
  else leftovers.clear();
  for (const overlay of overlays) {
    if (leftovers.has(overlay)) continue;
    const { id, file, successor, accessories, variants, hasText } = overlay;
    const [own = '', language] = id.split('/').toReversed();
    if (language === undefined || checkLanguage(file, language)) {
      if (!isGtin13(own))
        warn(`${file}: its name is no GTIN, and it isn't shown. Name it after the GTIN of its product.`);
      else if (!hasPage(own))
        warn(
          `${file}: its product has no page, and it isn't shown. Correct the GTIN in its name, or add it to content/assortment/ and run \`npm run sync\`.`,
        );
    }
    if (hasText && !id.includes('/')) {
      warn(`${file}: its text is in no language and isn't shown. Move it to a folder such as ${languages[0]}/.`);
    }
    if (successor !== undefined) refuseCycles(id, languages, (overlayId) => byId.get(overlayId));
    const named = [
      ...(successor === undefined ? [] : [{ role: 'successor', gtin: successor }]),
      ...accessories.map((gtin) => ({ role: 'accessory', gtin })),
      ...variants.map((gtin) => ({ role: 'variant', gtin })),
    ];
    for (const { role, gtin } of named) {
      if (role === 'accessory' && id.endsWith(gtin))
        warn(`${file}: it names itself as its accessory. Take ${gtin} out of \`accessories\`.`);
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
  const named = files.slice(0, MAX_NAMED).join(', ') + (files.length > MAX_NAMED ? ' and others' : '');
  return `${files.length} files in content/products are for products of the demo, which have no page: ${named}. Delete them.`;
}

function refuseCycles(
  id: string,
  languages: readonly string[],
  overlay: (id: string) => CheckedOverlay | undefined,
): void {
  const gtin = gtinOf(id);
  for (const language of id.includes('/') ? [id.slice(0, id.lastIndexOf('/'))] : languages) {
    const chain = successorChain(gtin, (of) => successorOf(language, of, overlay));
    if (new Set(chain).size === chain.length && !chain.includes(gtin)) continue;
    const files = chain.flatMap((of) => overlay(`${language}/${of}`)?.file ?? overlay(of)?.file ?? []);
    throw new SortimentError(
      'SUCCESSOR_CYCLE',
      `In ${language}, products follow each other in a circle: ${[gtin, ...chain].join(' -> ')}.`,
      { hint: `Take \`successor\` out of one of ${[...new Set(files)].toSorted().join(', ')}.` },
    );
  }
}
