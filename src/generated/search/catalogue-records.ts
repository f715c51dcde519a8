import {
  calculatorPath,
  dataPath,
  downloadsPath,
  familyPath,
  journalPath,
  normPath,
  normsPath,
  podcastPath,
  productsPath,
} from '#catalogue/addresses/paths.ts';
import { sitePath } from '#catalogue/addresses/site-paths.ts';
import { normEntry, type ProductEntry } from '#catalogue/entries/entries.ts';
import { normSlug } from '#catalogue/norms/norm-groups.ts';
import type { IndexedRecord } from '#catalogue/search/search-file.ts';
import { fieldsIn } from '#catalogue/products/product-fields.ts';
import { formatField } from '#components/product/field-texts.ts';
import { useLines } from '#components/product/use-texts.ts';
import { htmlText } from '#contracts/html/html-text.ts';
import { pickLocalized } from '#contracts/localized.ts';
import type { DocumentKind } from '#contracts/product/document-kinds.ts';
import { readContent } from '#files/content-files.ts';
import { hashParts } from '#files/hash-parts.ts';
import type { Ui } from '#i18n/index.ts';
import type { GeneratorContext } from '../generator.ts';

/** Products that are read at once. */
const PRODUCTS_IN_MEMORY = 2500;

/** Returns the records of products, sorted by family and GTIN, so that a price or a position changes nothing. */
export function productRecords(context: GeneratorContext, language: string): IndexedRecord[] {
  const { productIndex, overlays, readProduct, snapshot, ui, settings } = context;
  const site = ui(language);
  const records: IndexedRecord[] = [];
  for (const part of hashParts(productIndex.count(language), PRODUCTS_IN_MEMORY))
    for (const entry of productIndex.part(language, part))
      if (!overlays.isHidden(language, entry.gtin))
        records.push(productRecord(readProduct(entry), site, settings.options.documentKinds));
  const families = new Map(snapshot.families().map(({ id }, position) => [id, position]));
  const positionOf = ({ product }: IndexedRecord) => families.get(product?.family ?? '') ?? families.size;
  return records.toSorted(
    (a, b) => positionOf(a) - positionOf(b) || ((a.product?.gtin ?? '') < (b.product?.gtin ?? '') ? -1 : 1),
  );
}

/** Names of the kinds of documents in a language. */
export function documentLabels(
  { settings, ui }: Pick<GeneratorContext, 'settings' | 'ui'>,
  language: string,
): string[] {
  return settings.options.documentKinds.map(({ key }) => ui(language).fieldLabel(key));
}

function productRecord(product: ProductEntry, ui: Ui, kinds: readonly DocumentKind[]): IndexedRecord {
  const { name, gtin, item_number, slug, language, pageLanguage, family, attributes, materials } = product;
  const documents = kinds.filter(({ key }) => product.documentFields.includes(key));
  return {
    kind: 'product',
    title: name,
    path: '',
    product: {
      gtin,
      item_number,
      slug,
      language: language === pageLanguage ? undefined : language,
      family,
      documents: documents.map((kind) => kinds.indexOf(kind)).join(''),
    },
    texts: {
      summary: [
        // The first line says what the product is.
        product.erp_description.split('\n')[0],
        product.intro,
        product.application_short,
        product.trade_unit,
        ...useLines(product.uses, ui).map(({ value }) => value),
      ].join(' '),
      text: [
        ...attributes.map((attribute) => `${attribute.name} ${attribute.norm} ${attribute.value}`),
        ...materials.map((material) => `${material.name} ${material.value}`),
        ...fieldsIn(product, 'search').map((view) => `${view.label} ${formatField(view, ui)}`),
        ...[product.application, product.advantages, product.substrate].map(htmlText),
      ].join(' '),
      documents: documents.map(({ key }) => ui.fieldLabel(key)).join(' '),
    },
  };
}

/**
 * Returns the records of families, norms and lists.
 * @param records Records of products, whose documents their families have, and of articles, which decide on lists.
 */
export function catalogueRecords(
  context: GeneratorContext,
  language: string,
  { products, articles }: Record<'products' | 'articles', readonly IndexedRecord[]>,
): IndexedRecord[] {
  const { settings, productIndex, snapshot, ui } = context;
  const { mainLanguage, pages } = settings.options;
  const { t } = ui(language);
  const listed = new Map(productIndex.productGroups(language).map((group) => [group.productGroup, group]));
  const families = snapshot.families().flatMap(({ id, names, descriptions }) => {
    const group = listed.get(id);
    const title = pickLocalized(names, language, mainLanguage) ?? id;
    return group ? [{ id, group, title, names, line: pickLocalized(descriptions, language, mainLanguage) ?? '' }] : [];
  });
  const labels = documentLabels(context, language);
  const documentsOf = (id: string): string => {
    const digits = products.flatMap(({ product }) => (product?.family === id ? [...product.documents] : []));
    return [...new Set(digits)].map((digit) => labels[Number(digit)]).join(' ');
  };
  const page = (href: string, title: string, text = ''): IndexedRecord => ({
    kind: 'page',
    title,
    path: belowLanguage(href, language),
    texts: { names: text },
  });
  return [
    ...families.map(({ id, title, line, names }): IndexedRecord => ({
      kind: 'family',
      title,
      path: belowLanguage(familyPath(language, id), language),
      line,
      texts: { names: Object.values(names).join(' '), text: line, documents: documentsOf(id) },
    })),
    ...(pages.norms ? normRecords(context, language) : []),
    page(productsPath(language), t('products.title')),
    ...(pages.norms ? [page(normsPath(language), t('norms.title'))] : []),
    ...(pages.downloads ? [page(downloadsPath(language), t('downloads.title'), labels.join(' '))] : []),
    ...(pages.data ? [page(dataPath(language), t('data.title'))] : []),
    ...(articles.some(({ kind }) => kind === 'post') ? [page(journalPath(language), t('nav.journal'))] : []),
    ...(articles.some(({ kind }) => kind === 'episode') ? [page(podcastPath(language), t('nav.podcast'))] : []),
    ...families
      .filter(({ group }) => group.isMeasured)
      .map(({ id, title }) => page(calculatorPath(language, id), t('calculator.title', { family: title }))),
  ];
}

/** Returns the norms under which products declare values, with the texts of the project. */
function normRecords({ settings, productIndex }: GeneratorContext, language: string): IndexedRecord[] {
  const { root, options } = settings;
  const texts = readNormTexts(root);
  const norms = new Map(productIndex.norms(language).map(({ norm, name }) => [norm, name]));
  return [...norms]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([norm, name]): IndexedRecord => {
      const text = pickLocalized(texts.get(norm) ?? {}, language, options.mainLanguage);
      return {
        kind: 'norm',
        title: name,
        path: belowLanguage(normPath(language, norm), language),
        line: text?.title,
        texts: { summary: text?.title ?? '', prose: [text?.line, text?.measures, text?.reading].join(' ') },
      };
    });
}

const NORMS_FOLDER = 'content/norms';

function readNormTexts(root: string) {
  const entries = Array.from(readContent(root, NORMS_FOLDER, '.yaml').values(), ({ data }) => normEntry.parse(data));
  return new Map(entries.map(({ norm, texts }) => [normSlug(norm), texts]));
}

/** Removes the base path and the language from a path. */
export function belowLanguage(path: string, language: string): string {
  return path.slice(sitePath(`/${language}/`).length);
}
