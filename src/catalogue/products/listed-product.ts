import type { ProductEntry, ProductListEntry } from '#catalogue/entries/entries.ts';
import type { OverlayEntry } from '#catalogue/entries/overlay-entry.ts';
import { productPath, productsPath } from '../addresses/paths.ts';
import { languageChoices, type LanguageChoice } from '../languages/label-languages.ts';
import { DIMENSION_FIELDS, type DimensionField } from '#contracts/product/index.ts';

/**
 * Fields of a product that the search indexes, besides its numbers and the name of its family. Changes of other fields,
 * such as a price, don't rebuild the search index.
 */
export const SEARCHED_FIELDS = [
  'name',
  'item_number',
  'language',
  'intro',
  'application_short',
  'application',
  'advantages',
  'substrate',
  'attributes',
  'materials',
  'trade_unit',
  'erp_description',
] as const;

/**
 * Returns the language choices of a product page. Archived and current pages aren't alternates of each other, so that
 * search engines don't confuse them.
 * @param isHidden Returns true if the page in a language has `noindex`.
 */
export function productChoices(
  languages: readonly { code: string; name: string }[],
  { pageLanguage, slugs, translations, archivedTranslations, archived }: ProductEntry,
  isHidden: (language: string) => boolean = () => false,
): LanguageChoice[] {
  const paths = Object.fromEntries(Object.entries(slugs).map(([code, slug]) => [code, productPath(code, slug)]));
  const alternates = (archived ? archivedTranslations : translations).filter((code) => !isHidden(code));
  const real = [...translations, ...archivedTranslations];
  return languageChoices(languages, pageLanguage, paths, productsPath, real, alternates);
}

/** Data that overlays add to a product, besides text. */
export type OverlayData = Pick<
  OverlayEntry,
  'successor' | 'accessories' | 'content' | 'coverage' | 'hazard' | 'layer' | 'seo' | 'uses' | 'fields'
>;

type FindOverlay = (id: string) => OverlayData | undefined;

/**
 * Merges the overlays of a product. Values for the language take precedence over those for all languages, field by
 * field.
 */
export function mergeOverlays(language: string, gtin: string, overlay: FindOverlay): OverlayData {
  const [all, localized] = [overlay(gtin), overlay(`${language}/${gtin}`)];
  if (!all && !localized) return {};
  const seo = all?.seo || localized?.seo ? { seo: { ...all?.seo, ...localized?.seo } } : {};
  const fields = all?.fields || localized?.fields ? { fields: { ...all?.fields, ...localized?.fields } } : {};
  return { ...all, ...localized, ...seo, ...fields };
}

/** True for dimensions that are available in lists. */
const isListed = (field: DimensionField): field is VariantField => field !== 'joint' && field !== 'weight';

/**
 * Returns the formats of each product: GTIN -> all formats, including itself. Formats share a name, or one lists the
 * others, in any language.
 * @param overlays Overlays with the IDs `<language>/<gtin>` or `<gtin>`.
 */
export function variantGroups(
  overlays: readonly { id: string; data: Pick<OverlayEntry, 'variants'> }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Set<string>>();
  const named = new Map<string, string>();
  const join = (left: string, right: string): void => {
    const merged = new Set([...(groups.get(left) ?? [left]), ...(groups.get(right) ?? [right])]);
    for (const gtin of merged) groups.set(gtin, merged);
  };
  for (const { id, data } of overlays) {
    const gtin = id.slice(id.lastIndexOf('/') + 1);
    const { variants = [] } = data;
    if (typeof variants !== 'string') for (const other of variants) join(gtin, other);
    else if (named.has(variants)) join(named.get(variants) ?? gtin, gtin);
    else named.set(variants, gtin);
  }
  return new Map([...groups].map(([gtin, group]) => [gtin, [...group].toSorted()]));
}

type VariantField = DimensionField & keyof ProductListEntry;

/** Returns the dimensions that distinguish the formats of a product, in the order of the product interface. */
export function differingFields(variants: readonly Pick<ProductListEntry, VariantField>[]): VariantField[] {
  return DIMENSION_FIELDS.filter(isListed).filter(
    (field) => new Set(variants.map((variant) => variant[field]?.value)).size > 1,
  );
}

/** Successor in an overlay. */
interface SuccessorOverlay {
  successor?: string | undefined;
}

/** Returns the successor of a product from the overlay for the language, else from that for all languages. */
export function findSuccessor(
  language: string,
  gtin: string,
  overlay: (id: string) => SuccessorOverlay | undefined,
): string | undefined {
  return overlay(`${language}/${gtin}`)?.successor ?? overlay(gtin)?.successor;
}

/**
 * Returns the GTINs of a product's successors, the next one first. A circular chain ends with the GTIN that closes it.
 */
export function successorChain(gtin: string, next: (gtin: string) => string | undefined): string[] {
  const chain = [gtin];
  for (let current = next(gtin); current !== undefined; current = next(current)) {
    const closed = chain.includes(current);
    chain.push(current);
    if (closed) break;
  }
  return chain.slice(1);
}

/**
 * Returns the product that replaces another: the first current one in the chain. For an archived product without one,
 * the last in the chain, whose page still has documents.
 */
export function chooseSuccessor(
  product: Pick<ProductListEntry, 'gtin' | 'archived'>,
  chain: readonly ProductListEntry[],
): ProductListEntry | undefined {
  const successors = chain.filter(({ gtin }) => gtin !== product.gtin);
  return successors.find(({ archived }) => !archived) ?? (product.archived ? successors.at(-1) : undefined);
}
