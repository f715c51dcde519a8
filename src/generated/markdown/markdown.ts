import { absoluteUrl, outputPath } from '#catalogue/addresses/site-paths.ts';
import { productPath, familyPath } from '#catalogue/addresses/paths.ts';
import { documentList } from '#catalogue/documents/download-pages.ts';
import { splitGroupKey } from '#catalogue/read-model/update-product-index.ts';
import type { OverlayData } from '#catalogue/products/listed-product.ts';
import { PROCESSING_TEXTS, productDimensions, USE_TEXTS, valueHeading } from '#catalogue/products/product-view.ts';
import { countUnits } from '#catalogue/quantities/material-need.ts';
import { hazardLines } from '#contracts/hazard.ts';
import { pickLocalized } from '#contracts/localized.ts';
import { hasLanguage, isDocumentField } from '#contracts/product/document-kinds.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { Ui } from '#i18n/index.ts';
import type { ProductEntry } from '#catalogue/entries/entries.ts';
import { fieldRows } from '#components/product/field-texts.ts';
import { useLines } from '#components/product/use-texts.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import {
  htmlToMarkdown,
  escapeMarkdown,
  frontMatter,
  linkTarget,
  markdownTable,
} from '#catalogue/markdown/html-to-markdown.ts';

/** Generates a Markdown copy of each product page, `…/index.html.md` (https://llmstxt.org). */
export const markdownFiles: FileGenerator = {
  name: 'markdown',
  takesChanges: true,
  update: (context) => {
    const { changes, productIndex, remove } = context;
    const put = markdownWriter(context);
    if (!changes) for (const { data } of productIndex.index()) put(data.pageLanguage, data.gtin);
    else {
      for (const { language, slug } of changes.gone) remove(fileOf(language, slug));
      for (const { language, rest: gtin } of [...changes.products].map(splitGroupKey)) put(language, gtin);
    }
  },
};

function markdownWriter(context: GeneratorContext) {
  const { settings, snapshot, productIndex, readProduct, put } = context;
  const { mainLanguage } = settings.options;
  const families = new Map(snapshot.families().map((family) => [family.id, family.names]));
  return (language: string, gtin: string): void => {
    const listed = productIndex.product(language, gtin);
    if (!listed) return;
    const { family: id = '' } = listed;
    const names = families.get(id);
    const family = names && { id, name: pickLocalized(names, language, mainLanguage) ?? id };
    const content = () => productMarkdown(readProduct(listed), family, context);
    put(fileOf(language, listed.slug), content, `${productIndex.digestOf(listed)} ${family?.name ?? ''}`);
  };
}

const fileOf = (language: string, slug: string): string => `${outputPath(productPath(language, slug))}index.html.md`;

/**
 * Renders a product as Markdown. Declared values and their norms are preserved. Links to other products, images, the
 * price and overlay texts are omitted.
 */
function productMarkdown(
  product: ProductEntry,
  family: { id: string; name: string } | undefined,
  { settings, overlays, ui: uiOf }: GeneratorContext,
): string {
  const { maker, mainLanguage } = settings.options;
  const origin = new URL(settings.siteUrl);
  const ui = uiOf(product.pageLanguage);
  const { hazard } = overlays.additions(product.pageLanguage, product.gtin);
  const { t, formats } = ui;
  const url = absoluteUrl(productPath(product.pageLanguage, product.slug), origin);
  const { archived } = product;
  const availability = archived?.everywhere ? 'discontinued' : product.availability;
  const details = [
    `${t('field.gtin')}: ${product.gtin}`,
    product.item_number && `${t('field.item_number')}: ${escapeMarkdown(product.item_number)}`,
    family &&
      `${t('nav.products')}: [${escapeMarkdown(family.name)}](${absoluteUrl(familyPath(ui.language, family.id), origin)})`,
    `${t('product.maker')}: ${escapeMarkdown(maker.name)}`,
    archived && !archived.everywhere ? '' : t(`availability.${availability}`),
    `${t('product.as_of')} ${formats.date(product.changed)}`,
  ];
  const blocks = [
    frontMatter({ url, language: toBcp47(product.language), gtin: product.gtin }),
    `# ${escapeMarkdown(product.name)}`,
    product.intro && escapeMarkdown(product.intro),
    archived &&
      `> ${t(archived.everywhere ? 'archived.text' : 'archived.language.text', { date: formats.date(archived.since) })}`,
    product.fallback && `> ${t('product.fallback', { language: formats.languageName(product.language) })}`,
    toList(details),
    ...(hazard ? hazardBlocks(hazard, ui, mainLanguage) : []),
    ...textBlocks(product, t('product.use'), USE_TEXTS, ui),
    ...rowBlocks(`## ${t('product.uses')}`, useLines(product.uses, ui)),
    ...attributeBlocks(product, ui),
    ...rowBlocks(`### ${t('product.materials')}`, product.materials),
    ...rowBlocks(`### ${t('product.fields')}`, fieldRows(product, ui, false)),
    ...textBlocks(product, t('product.more'), PROCESSING_TEXTS, ui),
    ...rowBlocks(`## ${t('product.quantities')}`, sizeRows(product, ui)),
    `## ${t('product.documents')}`,
    documentLines(product, ui, origin),
  ];
  return `${blocks.filter((block) => typeof block === 'string' && block !== '').join('\n\n')}\n`;
}

/** Renders the hazard label near the top, as on the page. */
function hazardBlocks(hazard: NonNullable<OverlayData['hazard']>, ui: Ui, mainLanguage: string): string[] {
  const { t } = ui;
  const { signal, pictograms, diisocyanates } = hazard;
  const signs = pictograms.map((code) => `${t(`hazard.${code}`)} (${code})`);
  const lines = [
    ...hazardLines(hazard, ui.lang.toLowerCase(), mainLanguage).map(({ code, text }) => `${code} ${text}`),
    ...(diisocyanates ? [t('hazard.diisocyanates')] : []),
  ];
  return [
    `## ${t('hazard.title')}`,
    signal ? `**${t(`hazard.${signal}`)}**` : '',
    signs.join(', '),
    toList(lines.map(escapeMarkdown)),
    t('hazard.label'),
  ];
}

function toList(lines: readonly (string | undefined)[]): string {
  return lines
    .filter(Boolean)
    .map((line) => `- ${line}`)
    .join('\n');
}

interface Row {
  name: string;
  value: string;
  /** URL that replaces the value. */
  href?: string | undefined;
}

/** Renders a list of names and values; nothing if it is empty. */
function rowBlocks(heading: string, rows: readonly Row[]): string[] {
  const lines = rows.map(({ name, value, href }) => `${escapeMarkdown(name)}: ${href ?? escapeMarkdown(value)}`);
  return lines.length === 0 ? [] : [heading, toList(lines)];
}

function textBlocks(
  product: ProductEntry,
  heading: string,
  fields: typeof USE_TEXTS | typeof PROCESSING_TEXTS,
  { t }: Ui,
): string[] {
  const blocks = fields
    .filter((field) => product[field] !== '')
    .flatMap((field) => [`### ${t(`field.${field}`)}`, htmlToMarkdown(product[field])]);
  return blocks.length > 0 ? [`## ${heading}`, ...blocks] : [];
}

function attributeBlocks(product: ProductEntry, { t }: Ui): string[] {
  const { attributes, declaration_of_performance } = product;
  if (attributes.length === 0) return [];
  const rows = attributes.map(({ name, value, norm }) =>
    [name, value, norm || t('attribute.no_norm')].map(escapeMarkdown),
  );
  return [
    `## ${t('product.values')}`,
    markdownTable([t('attribute.name'), t(valueHeading(product)), t('attribute.norm')], rows),
    ...(declaration_of_performance ? [t('attribute.note')] : []),
  ];
}

function sizeRows(product: ProductEntry, { t, formats, unit: unitWord }: Ui): Row[] {
  const { dimensions, packaging } = productDimensions(product);
  return [
    ...dimensions.map(({ field, measure }) => ({
      name: t(`field.${field}`),
      value: formats.measure(measure.text, measure.unit),
    })),
    ...packaging.map(({ field, unit, quantity }) => ({
      name: t(`field.${field}`),
      value:
        quantity === undefined
          ? unit
          : `${unit} (${countUnits(Number(quantity), unitWord(product.trade_unit, product.language), formats)})`,
    })),
  ];
}

function documentLines(product: ProductEntry, { t, formats, fieldLabel }: Ui, origin: URL): string {
  return documentList(product)
    .flatMap(({ field, document }) => {
      const label = fieldLabel(field);
      if (!document) return isDocumentField(field) ? `- ${label}: ${t(`document.missing.${field}`)}` : [];
      const { href, fileName } = document;
      const language = hasLanguage(document) ? ` (${formats.languageName(document.language)})` : '';
      return `- ${label}: [${escapeMarkdown(fileName)}](${linkTarget(absoluteUrl(href, origin))})${language}`;
    })
    .join('\n');
}
