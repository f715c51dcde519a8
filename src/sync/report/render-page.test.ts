import { describe, expect, it } from 'vitest';
import { measureTranslations } from './measure-translations.ts';
import { renderCompleteness } from './write-report.ts';

const HOSTILE = '</td><script>alert(1)</script>';
const row = (gtin: string, language: string, fields: Record<string, unknown>) => ({
  gtin,
  language,
  record: { gtin, language, name: 'Alpha', availability: 'available' as const, ...fields },
});
const rows = [
  row('9524010000016', 'de-de', { intro: 'Text', application: '<p>Dach</p>' }),
  row('9524010000016', 'en-gb', { intro: 'Text', application: '' }),
  row('9524010000016', 'fr-fr', { intro: 'Texte', application: '<p>Toit</p>' }),
  row('9524010000023', 'de-de', { name: HOSTILE, intro: 'Text' }),
  row('9524010000023', 'en-gb', { intro: 'Text' }),
];
const report = measureTranslations(rows, { mainLanguage: 'de-de', languages: ['de-de', 'en-gb', 'fr-fr'] });

/** Cells of the row about a product. */
const cellsOf = (page: string, gtin: string): string[] => {
  const found = page.split('<tr>').find((part) => part.includes(gtin)) ?? '';
  return [...found.matchAll(/<td[^>]*><bdi>(.*?)<\/bdi>/g)].map(([, text = '']) => text);
};

describe('the page about translations', () => {
  it('names for each product and language what is missing', async () => {
    const page = await renderCompleteness('Haldenwerk', report);
    expect(cellsOf(page, '9524010000016')).toEqual(['9524010000016', 'Alpha', 'application', '✓']);
    expect(cellsOf(page, '9524010000023').slice(2)).toEqual(['✓', 'not translated']);
    expect(page).toContain('en-gb: 100 % translated · fr-fr: 50 % translated');
  });

  it('escapes names', async () => {
    const page = await renderCompleteness('Halden & Werk', report);
    expect(page).not.toContain(HOSTILE);
  });

  it('says so when nothing is missing', async () => {
    const complete = measureTranslations(rows.slice(2, 3), { mainLanguage: 'fr-fr', languages: ['fr-fr', 'de-de'] });
    const whole = { ...complete, gaps: [], gapCount: 0 };
    expect(await renderCompleteness('Haldenwerk', whole)).toContain('Every product is complete in every language.');
  });
});
