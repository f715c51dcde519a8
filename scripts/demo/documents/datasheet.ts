import { EAN_WIDTH, eanPath } from '#catalogue/codes/ean-barcode.ts';
import { isGtin13 } from '#contracts/index.ts';
import { toBcp47, type Decimal } from '#contracts/product/index.ts';
import type { DemoProduct } from '#origin/admin/seed/demo-content.ts';
import { kindOf } from '../products/banner.ts';
import { FULL, rule, setFacts, setHtml, setSection, setText, STYLES, TEXT, type Column } from './blocks.ts';
import { datasheetWords, fill, type DatasheetWords } from './document-words.ts';
import { drawLetterhead } from './letterhead.ts';
import { DOCUMENT_DATE, openSheet, PAGE, type Sheet } from './sheet.ts';
import { setTable } from './table.ts';
import { textWidth } from './typesetting.ts';

export interface DatasheetOptions {
  product: DemoProduct;
  /** Colour of the product line. */
  accent: string;
  /** JPEG of the product, square. */
  picture: Buffer;
}

/** The datasheet of a product in the language of its record, as PDF. */
export async function drawDatasheet({ product, accent, picture }: DatasheetOptions): Promise<Buffer> {
  const words = datasheetWords(product.language);
  const sheet = openSheet({
    title: `${product.name} – ${words.kind}`,
    subject: kindOf(product),
    language: product.language,
  });
  setTitle(sheet, product, picture);
  setIdentity(sheet, product, words);
  const texts = [
    [words.application, product.application],
    [words.advantages, product.advantages],
    [words.substrate, product.substrate],
    [words.limits, product.limiting_factors],
  ] as const;
  for (const [heading, html] of texts) {
    if (html) setSection(sheet, heading, () => setHtml(sheet, html, TEXT));
  }
  setProperties(sheet, product, words, accent);
  setSupply(sheet, product, words);
  return sheet.finish((page, pages) =>
    drawLetterhead(sheet, { kind: words.kind, accent, note: words.note, pageLabel: words.page }, page, pages),
  );
}

/** Name, kind and introduction at the left, the picture at the right. */
function setTitle(sheet: Sheet, product: DemoProduct, picture: Buffer): void {
  const size = 122;
  const left: Column = { x: PAGE.left, width: FULL.width - size - 28 };
  const x = PAGE.width - PAGE.right - size;
  sheet
    .tagged('Figure', sheet.root, () => void sheet.doc.image(picture, x, PAGE.top, { width: size, height: size }), {
      alt: product.name,
    })
    .end();
  const title = { size: 25, leading: 30, weight: 600, color: '#1c2b33' } as const;
  const fitted = Math.max(20, Math.min(25, (25 * left.width) / textWidth(product.name, title)));
  setText(sheet, product.name, left, { ...title, size: fitted }, 'H1');
  sheet.y += 2;
  setText(sheet, kindOf(product), left, { size: 12.4, leading: 17, weight: 500, color: '#667077' });
  sheet.y += 12;
  setText(sheet, product.intro, left, STYLES.lead);
  sheet.y = Math.max(sheet.y, PAGE.top + size) + 15;
}

function setIdentity(
  sheet: Sheet,
  { item_number, gtin, trade_unit, language }: DemoProduct,
  words: DatasheetWords,
): void {
  if (!isGtin13(gtin)) throw new Error(`The check digit of GTIN ${gtin} is wrong`);
  const asOf = new Intl.DateTimeFormat(toBcp47(language), { dateStyle: 'long', timeZone: 'UTC' }).format(DOCUMENT_DATE);
  sheet.artifact(() => rule(sheet, sheet.y, 1.2, '#1c2b33'));
  sheet.y += 9;
  setFacts(
    sheet,
    [
      [words.itemNumber, item_number],
      ['GTIN', gtin],
      [words.tradeUnit, trade_unit],
      [words.asOf, asOf],
    ],
    FULL,
  );
  sheet.y += 12;
}

function setProperties(sheet: Sheet, product: DemoProduct, words: DatasheetWords, accent: string): void {
  sheet.ensure(110);
  sheet.y += 4;
  setText(sheet, words.properties, FULL, STYLES.heading, 'H2');
  sheet.y += 6;
  const columns = [
    { heading: words.property, share: 0.5 },
    { heading: words.norm, share: 0.22 },
    { heading: words.value, share: 0.28 },
  ];
  setTable(
    sheet,
    columns,
    product.attributes.map(({ name, norm, value }) => [name, norm || '–', value]),
    accent,
  );
}

function setSupply(sheet: Sheet, product: DemoProduct, words: DatasheetWords): void {
  const { materials, packaging_unit, packaging_unit_quantity, bundle_unit, bundle_unit_quantity, trade_unit } = product;
  if (materials.length > 0) {
    setSection(
      sheet,
      words.materials,
      () => materials.forEach((part) => setMaterial(sheet, part)),
      sectionHeight(materials.length),
    );
  }
  const sizes = dimensions(product, words);
  if (sizes.length > 0) setSection(sheet, words.dimensions, () => setFacts(sheet, sizes, TEXT), sectionHeight(2));
  const per = (count: Decimal | undefined, packaging: string) =>
    fill(words.per, { count: number(product, count), unit: trade_unit, packaging });
  const units = [per(packaging_unit_quantity, packaging_unit)];
  if (bundle_unit_quantity && bundle_unit !== packaging_unit) {
    units.push(per(bundle_unit_quantity, bundle_unit));
  }
  setSection(
    sheet,
    words.packaging,
    () => {
      const top = sheet.y + 2;
      for (const unit of units) setText(sheet, unit, { x: TEXT.x, width: TEXT.width - 130 }, STYLES.body);
      const x = PAGE.width - PAGE.right - EAN_WIDTH;
      const draw = () => void (sheet.y = Math.max(sheet.y, top + drawBarcode(sheet, product.gtin, x, top)));
      sheet.tagged('Figure', sheet.root, draw, { alt: `EAN-13 ${product.gtin}` }).end();
    },
    sectionHeight(4),
  );
}

/** The part at the left, what it is made of beside it. */
function setMaterial(sheet: Sheet, { name, value }: DemoProduct['materials'][number]): void {
  const top = sheet.y;
  setText(sheet, name, { x: TEXT.x, width: 130 }, { ...STYLES.body, color: '#667077' });
  const bottom = sheet.y;
  sheet.y = top;
  setText(sheet, value, { x: TEXT.x + 140, width: TEXT.width - 140 }, STYLES.body);
  sheet.y = Math.max(sheet.y, bottom);
}

/** Height in points of a section with so many lines of text, so that it isn't torn apart. */
function sectionHeight(lines: number): number {
  return 9 + lines * STYLES.body.leading + 2;
}

function dimensions(product: DemoProduct, words: DatasheetWords): [string, string][] {
  const values: [Decimal | undefined, string][] = [
    [product.length, 'm'],
    [product.width, 'm'],
    [product.height, 'm'],
    [product.area, 'm²'],
    [product.joint, 'mm'],
    [product.weight, 'kg'],
  ];
  const rows = values.flatMap(([value, unit], i): [string, string][] =>
    value ? [[words.sizes[i] ?? '', `${number(product, value)}\u00a0${unit}`]] : [],
  );
  return product.folded ? [...rows, [words.delivery, words.folded]] : rows;
}

/** With the decimal sign of the language and all the decimals that are stated. */
function number({ language }: DemoProduct, value: Decimal | undefined): string {
  return value ? new Intl.NumberFormat(toBcp47(language), { maximumFractionDigits: 6 }).format(value.value) : '';
}

/** Draws the symbol with its digits, a point each module; `x` being the left edge of the first bar. Returns its height in points. */
function drawBarcode(sheet: Sheet, gtin: string, x: number, y: number): number {
  const height = 38;
  const { doc } = sheet;
  doc
    .save()
    .translate(x, y)
    .path(eanPath(gtin, height, height + 5))
    .fill('#1c2b33')
    .restore();
  const digit = (text: string, at: number) =>
    sheet.setLine(text, at, y + height + 9, { ...STYLES.small, size: 8, color: '#1c2b33' });
  digit(gtin.slice(0, 1), x - 8);
  for (let i = 1; i < gtin.length; i++) {
    const column = i < 7 ? 4.4 + (i - 1) * 7 : 51.4 + (i - 7) * 7;
    digit(gtin.charAt(i), x + column);
  }
  return height + 12;
}
