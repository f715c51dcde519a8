import { describe, expect, it } from 'vitest';
import { productSlug } from './slugs.ts';
import { romanise } from './server-slugs.ts';

const GTIN = '9524010000016';

describe('productSlug', () => {
  it.each([
    ['DIFFRANA Vario 75', 'diffrana-vario-75'],
    ['FUGENTO 600 15/5-10', 'fugento-600-15-5-10'],
    ['SPRIZANO Flüssig 5', 'sprizano-fluessig-5'],
    ['Primaire « élastique » à l’eau', 'primaire-elastique-a-l-eau'],
    ['  Weiß & Grün  ', 'weiss-gruen'],
    ['Bahn 3 m²', 'bahn-3-m2'],
  ])('writes %s as %s', (name, slug) => {
    expect(productSlug(name, GTIN)).toBe(`${slug}-${GTIN}`);
  });

  it('reads composed and decomposed letters alike', () => {
    expect(productSlug('Flüssig'.normalize('NFD'), GTIN)).toBe(productSlug('Flüssig'.normalize('NFC'), GTIN));
  });

  it.each([
    ['Μεμβράνη φραγής υδρατμών 75', 'memvrani-fragis-ydratmon-75'],
    ['Гидроизоляция für Dächer', 'gidroizolyaciya-fuer-daecher'],
    ['防水膜', 'fang-shui-mo'],
    ['防水シート', 'fang-shui-sito'],
    ['방수 필름', 'bangsu-pilreum'],
    ['Weiß & Grün', 'weiss-gruen'],
  ])('writes %s in Latin letters', (name, slug) => {
    expect(productSlug(romanise(name), GTIN)).toBe(`${slug}-${GTIN}`);
  });

  it('is the GTIN alone when the name holds no letter or digit', () => {
    expect(productSlug(romanise('—'), GTIN)).toBe(GTIN);
  });

  it('cuts a long name between two words', () => {
    const slug = productSlug('Sehr lange Bezeichnung '.repeat(6), GTIN);
    expect(slug).toBe(`sehr-lange-bezeichnung-sehr-lange-bezeichnung-sehr-lange-${GTIN}`);
  });

  it('cuts a long word where the limit is', () => {
    expect(productSlug('x'.repeat(90), GTIN)).toBe(`${'x'.repeat(60)}-${GTIN}`);
  });
});
