import { describe, expect, it } from 'vitest';
import { createProductEntry } from './create-product-entry.ts';
import { productJsonLd } from '../seo/linked-data.ts';
import { validateForGoogle, validateVocabulary } from './validate-json-ld.ts';

const product = (priced: boolean) =>
  productJsonLd(createProductEntry(), {
    path: '/de-de/p/x/',
    site: new URL('https://katalog.example'),
    maker: 'Haldenwerk GmbH',
    price: priced
      ? {
          kind: 'amount',
          amount: '24.90',
          currency: 'EUR',
          tax: 'gross',
          vat: 19,
          unitPrice: { amount: '1.00', measure: '25', unit: 'm', unitCode: 'MTR' },
        }
      : { kind: 'hidden' },
    label: String,
  });

describe('a product for machines', () => {
  it.each([true, false])('is right by the vocabulary and for Google, with a price: %s', async (priced) => {
    expect(validateVocabulary([product(priced)])).toEqual([]);
    expect(await validateForGoogle([product(priced)])).toEqual([]);
  });
});

describe('the validator', () => {
  it.each([
    [{ '@type': 'Gadget' }, 'Gadget is not a type of schema.org'],
    [{ '@type': 'Product', colour: 'red' }, 'Product.colour is not a property of schema.org'],
    [{ '@type': 'Product', headline: 'x' }, 'Product.headline is not a property of this type'],
    [{ '@type': 'Product', offers: '24.90' }, 'Product.offers is a text'],
    [{ '@type': 'Product', offers: { price: 1 } }, 'Product.offers is a node without a type'],
    [{ '@type': 'Product', brand: { '@type': 'Offer', price: 1 } }, 'Product.brand is of the type Offer'],
    [{ '@type': 'Offer', availability: 'https://schema.org/Gone' }, 'Offer.availability is a text'],
    [{ '@type': 'WebPage', name: '' }, 'WebPage.name is empty'],
  ])('finds what is wrong in %j', (node, problem) => {
    expect(validateVocabulary([node])).toEqual([problem]);
  });

  it('finds what Google misses', async () => {
    const { price, ...offer } = { '@type': 'Offer', price: '1', priceCurrency: 'EUR', availability: 'InStock' };
    expect(price).toBe('1');
    expect(
      await validateForGoogle([{ '@type': 'Product', name: 'x', image: ['https://x.example/a'], offers: offer }]),
    ).toContain('Offer has no price');
  });
});
