import { describe, expect, it } from 'vitest';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { checkProduct } from './stage-product.ts';

const GTIN = '9524010000016';
const check = (changes: Record<string, unknown> = {}) => checkProduct(createProduct(changes), { gtin: GTIN });

function digest(changes: Record<string, unknown>): string | undefined {
  const checked = check(changes);
  return checked.ok ? checked.digest : undefined;
}

describe('checkProduct', () => {
  it('keeps the record as it came, but for its HTML', () => {
    const html = '<p style="color:red">Text <img src=x onerror=alert(1)></p>';
    const checked = check({ width: '1.500', limiting_factors: html, intro: 'a < b' });
    expect(checked).toMatchObject({
      ok: true,
      recordLanguage: 'de-de',
      record: { width: '1.500', limiting_factors: '<p>Text <img src="x" alt="" /></p>', intro: 'a < b' },
    });
  });

  it('names the images and documents, not the empty ones', () => {
    const documents = { datasheet: 'https://a.example/d.pdf', safety_datasheet: '', declaration_of_performance: null };
    expect(check({ ...documents, banner: 'https://a.example/b.jpg' })).toMatchObject({
      references: [
        { address: 'https://a.example/b.jpg', kind: 'image' },
        { address: 'https://a.example/d.pdf', kind: 'document' },
      ],
    });
  });

  it('gives one digest for what is shown alike', () => {
    expect(digest({ application: '<p>A</p>' })).toBe(digest({ application: '<p class="x" onclick="y()">A</p>' }));
    expect(digest({ application: '<p>A</p>' })).not.toBe(digest({ application: '<p>B</p>' }));
  });

  it('refuses what is no product, or another one', () => {
    expect(checkProduct('nonsense', { gtin: GTIN })).toMatchObject({ ok: false });
    expect(check({ gtin: '9524010000023' })).toMatchObject({ ok: false, problems: [{ field: 'gtin' }] });
  });
});
