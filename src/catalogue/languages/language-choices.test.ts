import { describe, expect, it } from 'vitest';
import { alternates } from '../addresses/paths-by-language.ts';
import { languageChoices } from './label-languages.ts';

const LANGUAGES = [
  { code: 'de-de', name: 'Deutsch' },
  { code: 'en-gb', name: 'English' },
  { code: 'fr-fr', name: 'Français' },
];
const RULE = { mainLanguage: 'de-de', site: new URL('https://site.example') };
const journal = (language: string) => `/${language}/journal/`;

describe('languageChoices', () => {
  it('stays on the same thing, and says where there is no translation', () => {
    const choices = languageChoices(
      LANGUAGES,
      'de-de',
      { 'de-de': '/de-de/journal/a/', 'en-gb': '/en-gb/journal/b/' },
      journal,
    );
    expect(choices.map(({ path, translated, current }) => [path, translated, current])).toEqual([
      ['/de-de/journal/a/', true, true],
      ['/en-gb/journal/b/', true, false],
      ['/fr-fr/journal/', false, false],
    ]);
  });

  it('leads to a page that exists as a fallback only, and says so', () => {
    const paths = { 'de-de': '/de-de/p/x/', 'fr-fr': '/fr-fr/p/x/' };
    const choices = languageChoices(LANGUAGES, 'de-de', paths, journal, ['de-de']);
    expect(choices.at(-1)).toMatchObject({ path: '/fr-fr/p/x/', translated: false });
  });
});

const choices = (translations: string[], current = 'de-de') =>
  languageChoices(
    LANGUAGES,
    current,
    Object.fromEntries(LANGUAGES.map(({ code }) => [code, `/${code}/`])),
    journal,
    translations,
  );

describe('alternates', () => {
  it('names real translations only, and a default', () => {
    expect(alternates(choices(['de-de', 'fr-fr']), RULE)).toEqual([
      { hreflang: 'de-DE', href: 'https://site.example/de-de/' },
      { hreflang: 'fr-FR', href: 'https://site.example/fr-fr/' },
      { hreflang: 'x-default', href: 'https://site.example/de-de/' },
    ]);
  });

  it('takes the page that lets one choose as the default, on that page too', () => {
    const homes = choices(['de-de', 'fr-fr'], '');
    expect(alternates(homes, { ...RULE, chooser: '/' }).at(-1)).toEqual({
      hreflang: 'x-default',
      href: 'https://site.example/',
    });
  });

  it('is silent on a fallback and on a page without translations', () => {
    expect(alternates(choices(['de-de', 'fr-fr'], 'en-gb'), RULE)).toEqual([]);
    expect(alternates(choices(['de-de']), RULE)).toEqual([]);
  });
});
