import { productSlug } from '#catalogue/addresses/slugs.ts';
import { romanise } from '../addresses/server-slugs.ts';
import { attributeKeys, materialKeys } from '#catalogue/products/key-values.ts';
import { fieldsIn } from '#catalogue/products/product-fields.ts';
import { findUses } from '#catalogue/products/uses.ts';
import { priceDisplay } from '#catalogue/products/price.ts';
import { mergeOverlays, SEARCHED_FIELDS } from '#catalogue/products/listed-product.ts';
import { LISTED_FIELDS, TEXT_FIELDS, type ProductRecord } from '#contracts/product/index.ts';
import { groupConsecutive } from '#files/group-consecutive.ts';
import type { StoredProduct, SnapshotReader } from '#snapshot/index.ts';
import { listDocumentAssets, listEarlierDocuments, documentPath, toImageAsset } from './assets.ts';
import { createFieldViews } from './field-views.ts';
import type { LoaderSource } from './with-snapshot.ts';
import type { DocumentAsset, EarlierDocumentAsset, ImageAsset, ProductEntry } from '#catalogue/entries/entries.ts';
import type { Options } from '#config/index.ts';
import { rewriteHtml, type HtmlResolvers } from './rewrite-html.ts';

/**
 * Creates a page for every product in every language. Without a translation, the page shows the record of the main
 * language, or else the first one, with a notice. Products that are no longer offered keep their pages: in each
 * language with an archived text, or in all if no language offers them.
 */
export function* projectProducts(source: LoaderSource): Generator<ProjectedProduct> {
  const { snapshot } = source;
  const archive = Map.groupBy(snapshot.archivedProducts(), ({ gtin }) => gtin);
  // Offered products come first, in the assortment's order. The snapshot returns their languages consecutively.
  for (const present of groupConsecutive(snapshot.products(), (row) => row.gtin)) {
    const { gtin } = present[0];
    yield* projectProduct(source, present, archive.get(gtin) ?? []);
    archive.delete(gtin);
  }
  for (const archived of archive.values()) yield* projectProduct(source, [], archived);
}

export function* projectProductPages(source: LoaderSource, gtin: string): Generator<ProjectedProduct> {
  const { present = [], archived = [] } = Object.groupBy(source.snapshot.languagesOf(gtin), ({ state }) =>
    state === 'present' ? 'present' : 'archived',
  );
  yield* projectProduct(source, present, archived);
}

/** The page of a product in a language, before validation. */
export interface ProjectedProduct {
  data: Record<string, unknown>;
  searched: unknown;
  /** Content that the page shows in addition to `data`. */
  digestInputs: unknown;
  documents: readonly DocumentAsset[];
  /** Replaced documents, newest first. */
  earlier: readonly EarlierDocumentAsset[];
}

function findPages(
  { languages, options }: LoaderSource,
  present: readonly StoredProduct[],
  archived: readonly StoredProduct[],
) {
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
): Generator<ProjectedProduct> {
  const { languages, options } = source;
  const translations = languages.filter((language) => findTranslation(present, language));
  const archivedTranslations = languages.filter((language) => findTranslation(archived, language));
  const pages = findPages(source, present, archived);
  const slugs = Object.fromEntries(pages.map(({ language, slug }) => [language, slug]));
  const reference = chooseFallback([...present, ...archived], options.mainLanguage, options.mainLanguage)?.record;
  for (const { language, row, slug } of pages) {
    const { record } = row;
    const documents = listDocumentAssets(source.snapshot, record, options);
    const listedFields = Object.fromEntries(LISTED_FIELDS.map((field) => [field, record[field]]));
    const pageLanguages = { page: language, storedAs: row.language };
    const earlier = listEarlierDocuments(source.snapshot, record, pageLanguages, options);
    const borrowed = fallbackTexts(record, findTranslation(present, options.mainLanguage)?.record);
    const overlay = mergeOverlays(language, row.gtin, (id) => source.overlays?.get(id));
    const uses = findUses(overlay.uses, reference ?? record);
    const fieldViews = createFieldViews({ record, language, overlay }, options, source.onInvalidField);
    yield {
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
        documentFields: [...new Set(documents.map(({ field }) => field))],
        attributeKeys: attributeKeys(record.attributes ?? [], reference?.attributes ?? []),
        materialKeys: materialKeys(record.materials ?? [], reference?.materials ?? []),
        uses,
        fieldViews,
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
      searched: [
        SEARCHED_FIELDS.map((field) => record[field]),
        borrowed,
        uses,
        documents.map(({ field }) => field),
        fieldsIn({ fieldViews }, 'search'),
      ],
      digestInputs: [
        row.digest,
        documents,
        earlier,
        toImageAsset(source.snapshot, record.banner, { alt: record.name }),
        borrowed,
        localTexts({ ...record, ...borrowed }, source.snapshot, options.documents),
      ],
      documents,
      earlier,
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

type Borrowed = Partial<Pick<ProductEntry, 'borrowed' | (typeof TEXT_FIELDS)[number]>>;

/**
 * Returns texts of the main language that a record lacks, and their field names. A page shows them in that language,
 * with a notice.
 * @param main The product's record in the main language, if it is still offered.
 */
export function fallbackTexts(record: ProductRecord, main: ProductRecord | undefined): Borrowed {
  if (!main || main.language === record.language) return {};
  const fields = TEXT_FIELDS.filter((field) => !record[field] && main[field]);
  if (fields.length === 0) return {};
  const texts = Object.fromEntries(fields.map((field) => [field, main[field]]));
  return { ...texts, borrowed: { language: main.language, fields } };
}

type Assets = Pick<SnapshotReader, 'asset'>;

/** Finds the local copies of files that texts show, play or link to. */
export function localFiles(
  snapshot: Assets,
  documents: Options['documents'],
): Pick<HtmlResolvers, 'findImage' | 'findFile'> {
  return {
    findImage: (src, alt) => findImage(snapshot, src, alt),
    findFile: (address) => {
      const file =
        snapshot.asset(address, 'file') ?? (documents === 'mirror' ? snapshot.asset(address, 'document') : undefined);
      return file && documentPath(file);
    },
  };
}

/**
 * Finds an image by the address of its original, which publishing sites resize to `photo-1024x768.jpg`, or by its exact
 * address.
 */
export function findImage(snapshot: Assets, src: string, alt: string): ImageAsset | undefined {
  if (src === '') return undefined;
  const original = src.replace(/-\d+x\d+(\.[a-z]+)$/i, '$1');
  return toImageAsset(snapshot, original, { alt }) ?? toImageAsset(snapshot, src, { alt });
}

type ProductTexts = Partial<Record<(typeof TEXT_FIELDS)[number], string | null | undefined>>;

/**
 * Returns the product texts that differ from the record, with local images and copies of files. Other files become
 * links.
 */
export function localTexts(
  texts: ProductTexts,
  snapshot: Assets,
  documents: Options['documents'],
): Partial<Record<(typeof TEXT_FIELDS)[number], string>> {
  const rewriting = {
    ...localFiles(snapshot, documents),
    resolveLink: () => undefined,
    findArticle: () => undefined,
  };
  return Object.fromEntries(
    TEXT_FIELDS.flatMap((field) => {
      const html = texts[field] ?? '';
      const local = rewriteHtml(html, rewriting);
      return local === html ? [] : [[field, local]];
    }),
  );
}
