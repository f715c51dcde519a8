import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hazardLines } from '#contracts/hazard-lines.ts';
import { demoProduct } from '#origin/admin/seed/demo-content.ts';
import { readDemoContent } from '#origin/admin/seed/index.ts';
import { pdfText, plainText } from '../testing/pdf-text.ts';
import { drawSafetyDatasheet } from './safety-datasheet.ts';
import { safetyWords } from './document-words.ts';

const { products, hazards } = await readDemoContent('content/demo');
const sheets = Object.entries(products).flatMap(([gtin, versions]) =>
  Object.values(versions)
    .map((record) => demoProduct.parse(record))
    .filter(({ safety_datasheet }) => safety_datasheet)
    .map((product) => ({ gtin, product })),
);

/** The texts of the product's page. */
const pageText = (language: string, key: string): string =>
  (JSON.parse(readFileSync(`content/strings/${language.slice(0, 2)}.json`, 'utf8')) as Record<string, string>)[key] ??
  '';

it('has a sheet for every product whose label says something, in each language', () => {
  expect(Object.keys(hazards).length).toBeGreaterThan(4);
  for (const [gtin, versions] of Object.entries(products).filter(([one]) => one in hazards))
    expect(sheets.filter((sheet) => sheet.gtin === gtin)).toHaveLength(Object.keys(versions).length);
});

it.each(sheets)('names in section 2 what the page of $gtin names: $product.language', async ({ gtin, product }) => {
  const { language } = product;
  const hazard = hazards[gtin];
  const text = await pdfText(await drawSafetyDatasheet({ product, hazard, accent: '#336699' }));
  const { sections, label } = safetyWords(language);
  const start = text.indexOf(plainText(`2. ${sections[1]?.heading}`));
  const hazardsSection = text.slice(start, text.indexOf(plainText(`3. ${sections[2]?.heading}`), start));
  expect(start).toBeGreaterThan(0);
  const statements = hazard ? hazardLines(hazard, language, 'de-de') : [];
  for (const { code, text: statement } of statements)
    expect(hazardsSection).toContain(plainText(`${code} ${statement}`));
  // And nothing else.
  expect([...hazardsSection.matchAll(/\b(?:EUH|H)\d{3}\w*/g)].map(([code]) => code)).toEqual(
    statements.map(({ code }) => code),
  );
  for (const pictogram of hazard?.pictograms ?? []) expect(hazardsSection).toContain(pictogram);
  if (hazard?.signal) expect(hazardsSection).toContain(pageText(language, `hazard.${hazard.signal}`));
  const training = plainText(pageText(language, 'hazard.diisocyanates'));
  expect(hazardsSection.includes(training)).toBe(hazard?.diisocyanates ?? false);
  const isClassified = statements.some(({ code }) => code.startsWith('H'));
  expect(hazardsSection.includes(plainText(label.unclassified))).toBe(!isClassified);
});
