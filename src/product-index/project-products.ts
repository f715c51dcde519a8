import { productSlug } from '#catalogue/addresses/product-slug.ts';
import { romanise } from '#catalogue/addresses/romanise.ts';
import { attributeKeys, materialKeys } from '#catalogue/products/key-values.ts';
import { priceDisplay } from '#catalogue/products/price.ts';
import { SEARCHED_FIELDS } from '#catalogue/products/listed-product.ts';
import { LISTED_FIELDS } from '#contracts/product/index.ts';
import { groupConsecutive } from '#files/group-consecutive.ts';
import type { StoredProduct } from '#snapshot/index.ts';
import { fallbackTexts } from './fallback-texts.ts';
import { listDocumentAssets, listEarlierDocuments } from './document-assets.ts';
import { toImageAsset } from './image-asset.ts';
import { localTexts } from './localise-html.ts';
import type { ProjectedEntry } from './replace-entries.ts';
import type { LoaderSource } from './with-snapshot.ts';

/**
 * Creates a page for every product in every language. Without a translation, the page shows the record of the main
 * language, or else the first one, with a notice. Products that are no longer offered keep their pages: in each
 * language with an archived text, or in all if no language offers them.
 */
export function* projectProducts(source: LoaderSource): Generator<ProjectedEntry> {
  for (const { present, archived } of byProduct(source)) yield* projectProduct(source, present, archived);
}

/** Creates the pages of one product. */
export function* projectProductPages(source: LoaderSource, gtin: string): Generator<ProjectedEntry> {
  const { present = [], archived = [] } = Object.groupBy(source.snapshot.languagesOf(gtin), ({ state }) =>
    state === 'present' ? 'present' : 'archived',
  );
  yield* projectProduct(source, present, archived);
}

interface ProductPage {
  language: string;
  /** The record that the page shows. */
  row: StoredProduct;
  slug: string;
}

function findPages(
  { languages, options }: LoaderSource,
  present: readonly StoredProduct[],
  archived: readonly StoredProduct[],
): ProductPage[] {
  return languages.flatMap((language) => {
    const row =
      findTranslation(present, language) ??
      findTranslation(archived, language) ??
      chooseFallback(present, language, options.mainLanguage) ??
      chooseFallback(archived, language, options.mainLanguage);
    return row ? { language, row, slug: productSlug(romanise(row.record.name), row.gtin) } : [];
  });
}

function* projectProduct(
  source: LoaderSource,
  present: readonly StoredProduct[],
  archived: readonly StoredProduct[],
): Generator<ProjectedEntry> {
  const { languages, options } = source;
  const translations = languages.filter((language) => findTranslation(present, language));
  const archivedTranslations = languages.filter((language) => findTranslation(archived, language));
  const pages = findPages(source, present, archived);
  const slugs = Object.fromEntries(pages.map(({ language, slug }) => [language, slug]));
  const reference = chooseFallback([...present, ...archived], options.mainLanguage, options.mainLanguage)?.record;
  for (const { language, row, slug } of pages) {
    const { record } = row;
    const documents = listDocumentAssets(source.snapshot, record, options.documents);
    const listedFields = Object.fromEntries(LISTED_FIELDS.map((field) => [field, record[field]]));
    const pageLanguages = { page: language, storedAs: row.language };
    const earlier = listEarlierDocuments(source.snapshot, record, pageLanguages, options.documents);
    const borrowed = fallbackTexts(record, findTranslation(present, options.mainLanguage)?.record);
    yield {
      id: `${language}/${row.gtin}`,
      data: {
        ...listedFields,
        storedAs: row.language,
        pageLanguage: language,
        fallback: record.language !== language,
        translations,
        archivedTranslations,
        slug,
        slugs,
        family: row.family,
        position: row.position,
        documentFields: documents.map(({ field }) => field),
        attributeKeys: attributeKeys(record.attributes ?? [], reference?.attributes ?? []),
        materialKeys: materialKeys(record.materials ?? [], reference?.materials ?? []),
        imageAsset: toImageAsset(source.snapshot, record.image, { alt: record.name }),
        changed: changedIn(source, language, row),
        ...(row.state !== 'present' && {
          archived: {
            since: row.leftAt ?? row.changedAt,
            reason: row.state,
            everywhere: present.length === 0,
          },
        }),
      },
      searched: [SEARCHED_FIELDS.map((field) => record[field]), borrowed],
      digestInputs: [
        row.digest,
        documents,
        earlier,
        toImageAsset(source.snapshot, record.banner, { alt: record.name }),
        borrowed,
        localTexts({ ...record, ...borrowed }, source.snapshot, options.documents),
      ],
      documents: { current: documents, earlier },
    };
  }
}

/** Returns when the page of a language last changed. Price changes count only if the language shows prices. */
function changedIn({ options }: LoaderSource, language: string, { changedAt, pricedAt = '' }: StoredProduct): string {
  return priceDisplay(options.price, language) !== 'none' && pricedAt > changedAt ? pricedAt : changedAt;
}

function findTranslation(rows: readonly StoredProduct[], code: string): StoredProduct | undefined {
  return rows.find((row) => row.language === code && row.record.language === code);
}

function chooseFallback(
  rows: readonly StoredProduct[],
  language: string,
  mainLanguage: string,
): StoredProduct | undefined {
  return (
    findTranslation(rows, mainLanguage) ??
    rows.find((row) => row.language === language) ??
    rows.find((row) => row.record.language === row.language) ??
    rows[0]
  );
}

/** Groups rows by product: offered products in the assortment's order, then discontinued ones. */
function* byProduct({ snapshot }: LoaderSource): Generator<{ present: StoredProduct[]; archived: StoredProduct[] }> {
  const archive = Map.groupBy(snapshot.archivedProducts(), ({ gtin }) => gtin);
  // The snapshot returns the languages of a product consecutively.
  for (const present of groupConsecutive(snapshot.products(), (row) => row.gtin)) {
    const { gtin } = present[0];
    yield { present, archived: archive.get(gtin) ?? [] };
    archive.delete(gtin);
  }
  for (const archived of archive.values()) yield { present: [], archived };
}
