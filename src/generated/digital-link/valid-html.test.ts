import { expect, it } from 'vitest';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import { validateHtml } from '#files/testing/validate-html.ts';
import { openTestSite } from '../testing/test-generators.ts';
import { digitalLinks } from './digital-links.ts';

const GTIN = '9524010000016';
const SHELL =
  '<!doctype html><html lang="de-DE"><head><title>Haldenwerk</title><link rel="canonical" href="/x"></head>' +
  '<body><header><a href="/">Haldenwerk</a></header></body></html>';

it('the page that lets the reader of a code choose the language is valid HTML', async () => {
  const names = { 'de-de': 'Bahn <a> & Co', 'en-gb': 'Membrane' };
  const site = openTestSite({
    records: { language: languages('de-de', 'en-gb') },
    products: Object.entries(names).map(([language, name]) => ({
      language,
      record: createProduct({ name, gtin: GTIN, language }),
    })),
  });
  await site.update([digitalLinks], { pages: { 'index.html': SHELL } });
  const page = site.files.get('01/09524010000016/index.html') ?? '';
  expect(page).toContain(`<a href="/en-gb/p/membrane-${GTIN}/" hreflang="en-GB">`);
  expect(await validateHtml(page)).toEqual([]);
  site.close();
});
