import { toBcp47 } from '#contracts/product/index.ts';
import type { HazardLabel } from '#contracts/hazard-label.ts';
import { hazardLines } from '#contracts/hazard-lines.ts';
import type { DemoProduct } from '#origin/admin/seed/demo-content.ts';
import { FULL, rule, setText, STYLES } from './blocks.ts';
import { fill, safetyWords, type Chemistry, type SafetySection, type SafetyWords } from './document-words.ts';
import { drawLetterhead } from './letterhead.ts';
import { drawStamp, setMark } from './mark.ts';
import { DOCUMENT_DATE, openSheet, type Sheet } from './sheet.ts';

export interface SafetyDatasheetOptions {
  product: DemoProduct;
  /** What its label says; undefined for what has nothing to say. */
  hazard: HazardLabel | undefined;
  /** Colour of the product line. */
  accent: string;
}

/** A safety datasheet with its sixteen sections, clearly marked as not valid, as PDF. */
export async function drawSafetyDatasheet({ product, hazard, accent }: SafetyDatasheetOptions): Promise<Buffer> {
  const words = safetyWords(product.language);
  const date = new Intl.DateTimeFormat(toBcp47(product.language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    DOCUMENT_DATE,
  );
  const sheet = openSheet({
    title: `${product.name} – ${words.kind}`,
    subject: product.application_short,
    language: product.language,
    underlay: (page) => drawStamp(page, words.stamp),
  });
  setText(sheet, words.kind, FULL, { size: 25, leading: 30, weight: 600, color: '#1c2b33' }, 'H1');
  sheet.y += 2;
  setText(sheet, `${product.name} · ${product.item_number} · ${words.version} ${date}`, FULL, {
    size: 11.4,
    leading: 16,
    weight: 500,
    color: '#667077',
  });
  sheet.y += 14;
  setMark(sheet, words.mark);
  words.sections.forEach((section, i) => {
    const number = i + 1;
    setSafetySection(sheet, section, {
      number,
      product,
      before: number === HAZARDS ? labelLines(words, product, hazard) : [],
    });
  });
  return sheet.finish((page, pages) =>
    drawLetterhead(sheet, { kind: words.kind, accent, note: words.note, pageLabel: words.page }, page, pages),
  );
}

/** Section 2 (Regulation (EC) No 1907/2006, Annex II). */
const HAZARDS = 2;

/** The same statements as on the product's page, from the same data. */
function labelLines({ label }: SafetyWords, { language }: DemoProduct, hazard: HazardLabel | undefined): string[] {
  const { signal, pictograms = [], statements = [], diisocyanates = false } = hazard ?? {};
  // Supplemental statements (EUH) stand on labels of what is not classified too.
  const isClassified = statements.some(({ code }) => code.startsWith('H'));
  return [
    ...(isClassified ? [] : [label.unclassified]),
    ...(signal ? [fill(label.signal, { signal: label[signal] })] : []),
    ...(pictograms.length > 0 ? [fill(label.pictograms, { pictograms: pictograms.join(', ') })] : []),
    ...(hazard ? hazardLines(hazard, language, language).map(({ code, text }) => `${code} ${text}`) : []),
    ...(diisocyanates ? [label.diisocyanates] : []),
  ];
}

interface SectionOptions {
  number: number;
  product: DemoProduct;
  /** Lines that come before its text. */
  before: readonly string[];
}

function setSafetySection(sheet: Sheet, section: SafetySection, { number, product, before }: SectionOptions): void {
  const chemistry = chemistryOf(product);
  const text = (chemistry === 'dispersion' ? undefined : section[chemistry]) ?? section.text;
  const values = {
    name: product.name,
    item: product.item_number,
    use: product.application_short,
  };
  sheet.ensure(54);
  sheet.artifact(() => rule(sheet, sheet.y, 0.6, '#c9ced1'));
  sheet.y += 6;
  setText(sheet, `${number}. ${section.heading}`, FULL, STYLES.strong, 'H2');
  sheet.y += 2;
  for (const paragraph of [...before, ...text]) {
    setText(sheet, fill(paragraph, values), FULL, STYLES.body);
  }
  sheet.y += 9;
}

/** Foam is tested under its own norm, the hybrid sealant is based on silanes; everything else is water-based. */
function chemistryOf({ attributes, materials }: DemoProduct): Chemistry {
  if (attributes.some(({ norm }) => norm.startsWith('EN 17333'))) return 'foam';
  return materials.some(({ value }) => /silan/i.test(value)) ? 'hybrid' : 'dispersion';
}
