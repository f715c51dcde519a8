import { expect, it } from 'vitest';
import { defineConfig } from '#config/index.ts';
import { contactLinks } from './contact-links.ts';

const options = (contact: Parameters<typeof defineConfig>[0]['contact']) =>
  defineConfig({
    site: { name: 'A' },
    maker: { name: 'A', address: ['B'], email: 'info@a.example' },
    mainLanguage: 'de-de',
    contact,
  });
const product = { name: 'Vario & Co 75', gtin: '9524010000016', item_number: 'HW-10110' };
const ui = {
  language: 'en-gb',
  t: (key: string, values: object = {}) => [key, ...Object.values(values)].join(' '),
};

it('fills in the product, and chooses the address of the language', () => {
  const links = contactLinks(
    options({
      email: { de: 'technik@a.example', en: 'technical@a.example' },
      sample: 'https://a.example/samples',
      phone: '+49 30 23125 042',
    }),
    product,
    ui,
  );
  expect(links.map(({ href }) => href)).toEqual([
    'mailto:technical@a.example?subject=contact.question.subject%20HW-10110%20Vario%20%26%20Co%2075',
    'https://a.example/samples',
    'tel:+493023125042',
  ]);
});

it('offers no sample of a discontinued product, and nothing that is not configured', () => {
  const archived = { since: new Date(), reason: 'gone', everywhere: true };
  expect(contactLinks(options({ sample: 'muster@a.example' }), { ...product, archived }, ui)).toEqual([]);
  expect(contactLinks(options(undefined), product, ui)).toEqual([]);
});
