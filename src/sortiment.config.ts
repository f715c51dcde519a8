import { defineConfig } from '#config/index.ts';

export default defineConfig({
  site: {
    name: 'Haldenwerk',
    description: {
      'de-de': 'Bahnen, Klebebänder und Dichtstoffe für luftdichte Gebäudehüllen.',
      'en-gb': 'Membranes, tapes and sealants for airtight building envelopes.',
      'fr-fr': 'Membranes, adhésifs et mastics pour des enveloppes étanches à l’air.',
    },
  },
  maker: {
    name: 'Haldenwerk GmbH',
    address: ['Am Prüfstand 1', '00000 Haldenbrück'],
    country: 'DE',
    email: 'info@haldenwerk.example',
  },
  contact: {
    email: {
      de: 'technik@haldenwerk.example',
      en: 'technical@haldenwerk.example',
      fr: 'technique@haldenwerk.example',
    },
    sample: {
      de: 'muster@haldenwerk.example',
      en: 'samples@haldenwerk.example',
      fr: 'echantillons@haldenwerk.example',
    },
    phone: '+49 30 23125 042',
  },
  // The demo sells to the trade: its interface has list prices without VAT. Remove this line to hide yours.
  price: { show: 'net' },
  shops: { trade: ['xlsx', 'tender', 'bmecat', 'datanorm', 'gaeb'] },
  mainLanguage: 'de-de',
  publishing: {
    language: [
      { by: 'category', terms: { deutsch: 'de-de', english: 'en-gb', francais: 'fr-fr' } },
      { by: 'slug-prefix', prefixes: { 'en-': 'en-gb', 'fr-': 'fr-fr' } },
    ],
    translations: { tagPrefix: 'translation-' },
  },
});
