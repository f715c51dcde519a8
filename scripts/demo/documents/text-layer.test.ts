import { expect, it } from 'vitest';
import { demoProduct } from '#origin/admin/seed/demo-content.ts';
import { readDemoContent } from '#origin/admin/seed/index.ts';
import { letter } from '../lettering/letter.ts';
import { pdfText, plainText } from '../testing/pdf-text.ts';
import { FULL, setText, STYLES } from './blocks.ts';
import { openSheet } from './sheet.ts';

const { products } = await readDemoContent('content/demo');

/** Every text that a document quotes from a record, once. */
const values = new Set(
  Object.values(products)
    .flatMap((versions) => Object.values(versions).map((record) => demoProduct.parse(record)))
    .flatMap(({ name, intro, attributes, materials }) => [
      name,
      intro,
      ...attributes.flatMap((attribute) => [attribute.name, attribute.norm, attribute.value]),
      ...materials.flatMap((material) => [material.name, material.value]),
    ])
    .filter((value) => value !== ''),
);

it('keeps every value of every record, character by character', async () => {
  // A document after pictures: glyphs are shared.
  letter([...values].join(' ').replaceAll(/\s/g, ' '), { size: 1, x: 0, y: 0, weight: STYLES.cell.weight });
  const sheet = openSheet({ title: 'Values', subject: '', language: 'en-gb' });
  for (const value of values) setText(sheet, value, FULL, STYLES.cell);
  const text = await pdfText(await sheet.finish(() => undefined));
  expect([...values].filter((value) => !text.includes(plainText(value)))).toEqual([]);
});
