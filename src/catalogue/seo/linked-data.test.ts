import { describe, expect, it } from 'vitest';
import { defineConfig } from '#config/index.ts';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { linkedData, serializeLinkedData } from '#contracts/seo/linked-data.ts';
import { listJsonLd, productJsonLd, siteJsonLd, type ProductJsonLdOptions } from './linked-data.ts';

const options = (changes: Partial<ProductJsonLdOptions> = {}): ProductJsonLdOptions => ({
  path: '/de-de/p/diffrana-vario-75-9524010000016/',
  site: new URL('https://site.example'),
  maker: 'Haldenwerk GmbH',
  price: { kind: 'hidden' },
  family: 'Dampfbremsen',
  label: (field) => `<${field}>`,
  ...changes,
});

const linked = (name: string, gtin: string) => ({ name, gtin, pageLanguage: 'de-de', slug: name.toLowerCase() });
const named = (name: string, gtin13: string) => ({
  '@type': 'Product',
  '@id': `https://site.example/de-de/p/${name.toLowerCase()}/#product`,
  name,
  gtin13,
  url: `https://site.example/de-de/p/${name.toLowerCase()}/`,
});

describe('productJsonLd', () => {
  it('says who, what and how large, with codes for units', () => {
    expect(productJsonLd(createProductEntry(), options())).toMatchObject({
      '@type': 'Product',
      url: 'https://site.example/de-de/p/diffrana-vario-75-9524010000016/',
      gtin13: '9524010000016',
      hasGS1DigitalLink: 'https://site.example/01/09524010000016',
      sku: 'HW-10110',
      mpn: 'HW-10110',
      brand: { name: 'Haldenwerk GmbH' },
      manufacturer: { '@type': 'Organization', name: 'Haldenwerk GmbH' },
      category: 'Dampfbremsen',
      image: ['https://site.example/_images/0123456789abcdef-1200.jpg'],
      material: ['Polypropylen'],
      width: { '@type': 'QuantitativeValue', value: 1.5, unitCode: 'MTR' },
      weight: { '@type': 'QuantitativeValue', value: 7.4, unitCode: 'KGM' },
      hasMeasurement: [
        { name: '<length>', value: 50, unitCode: 'MTR' },
        { name: '<area>', value: 75, unitCode: 'MTK' },
      ],
    });
  });

  it('names the other formats and what is used with it, by their pages', () => {
    const node = productJsonLd(
      createProductEntry(),
      options({ variants: [linked('A', '1'), linked('B', '3')], accessories: [linked('C', '3')] }),
    );
    expect(node['isVariantOf']).toEqual({
      '@type': 'ProductGroup',
      '@id': 'https://site.example/de-de/p/a/#formats',
      productGroupID: '1',
      name: 'A',
      variesBy: ['https://schema.org/size'],
      hasVariant: [named('A', '1'), named('B', '3')],
    });
    expect(node['isRelatedTo']).toEqual([named('C', '3')]);
  });

  it('quotes declared values and names their norm as the method', () => {
    expect(productJsonLd(createProductEntry(), options())['additionalProperty']).toEqual([
      { '@type': 'PropertyValue', name: 'Brandverhalten', value: 'E', measurementMethod: 'EN 13501-1' },
      { '@type': 'PropertyValue', name: 'Temperaturbeständigkeit', value: '-40 °C … +80 °C' },
    ]);
  });

  it('offers documents in their own language', () => {
    expect(productJsonLd(createProductEntry(), options())['subjectOf']).toEqual([
      {
        '@type': 'DigitalDocument',
        name: '<datasheet>',
        url: 'https://site.example/documents/tds.pdf',
        encodingFormat: 'application/pdf',
        inLanguage: 'de-DE',
      },
    ]);
  });

  it.each([{ kind: 'hidden' }, { kind: 'on-request' }] as const)('makes no offer of a price that is $kind', (price) => {
    expect(productJsonLd(createProductEntry(), options({ price }))).not.toHaveProperty('offers');
  });

  it('offers at the price that the page shows', () => {
    const price = {
      kind: 'amount',
      amount: '142.50',
      currency: 'CHF',
      tax: 'net',
      unitPrice: { amount: '1.90', measure: '75', unit: 'm²', unitCode: 'MTK' },
    } as const;
    expect(productJsonLd(createProductEntry(), options({ price }))['offers']).toMatchObject({
      price: '142.50',
      priceCurrency: 'CHF',
      availability: 'https://schema.org/InStock',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: '142.50',
        priceCurrency: 'CHF',
        valueAddedTaxIncluded: false,
        referenceQuantity: { value: '75', unitCode: 'MTK', valueReference: { value: '1', unitCode: 'MTK' } },
      },
    });
  });

  it.each([true, false])('makes no offer of what is archived (everywhere: %s)', (everywhere) => {
    const archived = { since: new Date(0), reason: 'gone' as const, everywhere };
    expect(productJsonLd(createProductEntry({ archived }), options())).not.toHaveProperty('offers');
  });

  it('publishes no number of a company of its own as one that counts everywhere', () => {
    for (const gtin of ['0412345000018', '2000000000008', '0212345000000']) {
      const node = productJsonLd(createProductEntry({ gtin }), options());
      expect(node).not.toHaveProperty('gtin13');
      expect(node).not.toHaveProperty('hasGS1DigitalLink');
    }
    expect(productJsonLd(createProductEntry(), options())).toHaveProperty('gtin13');
  });

  it('claims no availability that is unknown', () => {
    const price = { kind: 'amount', amount: '1.00', currency: 'EUR', tax: 'net' } as const;
    const node = productJsonLd(createProductEntry({ availability: 'unknown' }), options({ price }));
    expect(node['offers']).not.toHaveProperty('availability');
  });
});

describe('writeJsonLd', () => {
  it('lets no text end the block', () => {
    expect(serializeLinkedData(linkedData([{ name: '</script><b>' }]))).toBe(
      String.raw`{"@context":"https://schema.org","@graph":[{"name":"\u003c/script\u003e\u003cb\u003e"}]}`,
    );
  });
});

const siteUrl = new URL('https://katalog.example');
const maker = { name: 'Haldenwerk GmbH', address: ['Am Prüfstand 1', '00000 Haldenbrück'], email: 'info@x.example' };

describe('the site for machines', () => {
  it('is published by the maker, in the language of the page', () => {
    const [organization, website] = siteJsonLd(
      defineConfig({
        site: { name: 'Haldenwerk' },
        brand: { logo: '/logo.svg' },
        maker,
        seo: { profiles: ['https://video.example/haldenwerk'] },
        mainLanguage: 'de-de',
      }),
      'Bahnen.',
      'de-de',
      siteUrl,
    );
    expect(website).toMatchObject({ '@type': 'WebSite', url: 'https://katalog.example/de-de/', inLanguage: 'de-DE' });
    expect(website?.['publisher']).toEqual({ '@id': organization?.['@id'] });
    expect(organization).toMatchObject({
      sameAs: ['https://video.example/haldenwerk'],
      logo: 'https://katalog.example/logo.svg',
      name: 'Haldenwerk GmbH',
      address: 'Am Prüfstand 1, 00000 Haldenbrück',
    });
  });
});

describe('a list for machines', () => {
  it('counts on from the pages before it', () => {
    const items = [{ path: '/de-de/p/a/' }, { path: '/de-de/p/b/' }];
    expect(listJsonLd({ path: '/de-de/l/', items, before: 48, total: 50 }, siteUrl)).toEqual({
      '@type': 'ItemList',
      '@id': 'https://katalog.example/de-de/l/#list',
      numberOfItems: 50,
      itemListElement: [
        { '@type': 'ListItem', position: 49, url: 'https://katalog.example/de-de/p/a/' },
        { '@type': 'ListItem', position: 50, url: 'https://katalog.example/de-de/p/b/' },
      ],
    });
  });
});
