import { productSlug } from '../catalogue/product-slug.ts';
import type { StoredProduct } from '../snapshot/index.ts';
import { documentAssetsOf } from './document-assets.ts';
import { imageAssetOf } from './image-asset.ts';
import type { LoaderSource } from './with-snapshot.ts';
import type { ProjectedEntry } from './replace-entries.ts';

/**
 * A page for every product in every language. Where there is no translation, the page shows the record of the main
 * language, or else the first there is, and says so.
 */
export function* projectProducts(source: LoaderSource): Generator<ProjectedEntry> {
  for (const rows of byGtin(source.snapshot.products())) yield* projectProduct(source, rows);
}

function* projectProduct(source: LoaderSource, rows: readonly StoredProduct[]): Generator<ProjectedEntry> {
  const { languages, options } = source;
  const translations = languages.filter((language) =>
    rows.some((row) => isTranslation(row) && row.language === language),
  );
  const pages = languages.flatMap((language) => {
    const row = chooseRow(rows, language, options.mainLanguage);
    return row ? { language, row, slug: productSlug(row.record.name, row.gtin) } : [];
  });
  const slugs = Object.fromEntries(pages.map(({ language, slug }) => [language, slug]));
  for (const { language, row, slug } of pages) {
    yield {
      id: `${language}/${row.gtin}`,
      data: {
        ...row.record,
        pageLanguage: language,
        fallback: row.record.language !== language,
        translations,
        slug,
        slugs,
        family: row.family,
        position: row.position,
        documents: documentAssetsOf(source.snapshot, row.record, options.documents),
        imageAsset: imageAssetOf(source.snapshot, row.record.image, { alt: row.record.name }),
        bannerAsset: imageAssetOf(source.snapshot, row.record.banner, { alt: row.record.name }),
        changed: row.changedAt,
      },
    };
  }
}

const isTranslation = (row: StoredProduct): boolean => row.record.language === row.language;

function chooseRow(rows: readonly StoredProduct[], language: string, mainLanguage: string): StoredProduct | undefined {
  const translated = (code: string) => rows.find((row) => isTranslation(row) && row.language === code);
  return (
    translated(language) ??
    translated(mainLanguage) ??
    rows.find((row) => row.language === language) ??
    rows.find(isTranslation) ??
    rows[0]
  );
}

/** The snapshot gives the languages of a product one after the other. */
function* byGtin(rows: Iterable<StoredProduct>): Generator<StoredProduct[]> {
  let group: StoredProduct[] = [];
  for (const row of rows) {
    if (group[0] && group[0].gtin !== row.gtin) {
      yield group;
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield group;
}
