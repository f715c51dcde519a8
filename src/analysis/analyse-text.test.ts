import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ADVICE } from './advice/index.ts';
import { analyseText } from './analyse-text.ts';
import { ADVICE_LANGUAGES, type Analysis, type AnalysisInput, type Rating } from './types.ts';

interface WrittenText {
  name: string;
  input: Omit<AnalysisInput, 'language' | 'html'>;
  html: string[];
  verdict: { seo: 'good' | 'ok' | 'bad' | 'none'; readability: number } & Partial<Record<Rating, string>>;
}

const LANGUAGES = ['german', 'english', 'french'].map((name) => {
  const file = readFileSync(new URL(`testing/texts/${name}.yaml`, import.meta.url), 'utf8');
  return parse(file, { merge: true }) as { language: string; texts: WrittenText[] };
});

const inputOf = ({ input, html }: WrittenText, language: string): AnalysisInput => ({
  ...input,
  language,
  html: html.join('\n'),
  address: `https://beschlag.test/${input.slug}/`,
});

const rankOf = ({ seo }: Analysis) => (seo === 0 ? 'none' : seo <= 40 ? 'bad' : seo <= 70 ? 'ok' : 'good');

describe.each(LANGUAGES)('analysis of texts in $language', ({ language, texts }) => {
  test('contains ten texts', () => expect(new Set(texts.map(({ name }) => name)).size).toBe(10));

  test.each(texts)('$name', (text) => {
    const { verdict } = text;
    const analysis = analyseText(inputOf(text, language));
    const ratings = Object.fromEntries(analysis.results.map(({ id, rating }) => [id, rating]));
    const wanted = (['good', 'ok', 'bad', 'neutral'] as const).flatMap((rating) =>
      (verdict[rating] ?? '').split(/\s+/).flatMap((id) => (id === '' ? [] : [[id, rating] as const])),
    );
    const found = wanted.map(([id]) => [id, ratings[id]]);
    expect({ seo: rankOf(analysis), readability: analysis.readability, checks: found }).toEqual({
      seo: verdict.seo,
      readability: verdict.readability,
      checks: wanted,
    });
  });
});

test('every text gets advice in each language, with all numbers filled in', () => {
  const texts = LANGUAGES.flatMap(({ language, texts }) => texts.map((text) => inputOf(text, language)));
  for (const adviceLanguage of ADVICE_LANGUAGES) {
    const advice = texts.flatMap((input) => analyseText({ ...input, adviceLanguage }).results);
    expect(advice.filter(({ advice }) => advice === '' || /[{}]|undefined|NaN/.test(advice))).toEqual([]);
  }
});

const gapsOf = (advice: typeof ADVICE.de) =>
  Object.entries(advice).flatMap(([id, texts]) =>
    Object.entries<string>(texts).map(([outcome, text]) => [
      id,
      outcome,
      [...new Set(text.match(/\{\w+\}/g))].toSorted(),
    ]),
  );

test('advice has the same placeholders in each language', () => {
  expect(gapsOf(ADVICE.de)).toEqual(gapsOf(ADVICE.en));
  expect(gapsOf(ADVICE.fr)).toEqual(gapsOf(ADVICE.en));
});

test('advice says what was found and what is wanted', () => {
  const [german] = LANGUAGES;
  const short = german?.texts.find(({ name }) => name === 'viel zu kurz');
  const adviceOf = (adviceLanguage: 'de' | 'en' | 'fr') =>
    short &&
    analyseText({ ...inputOf(short, 'de-AT'), adviceLanguage }).results.find(({ id }) => id === 'textLength')?.advice;
  expect(adviceOf('de')).toBe('Der Text hat 34 Wörter. Schreiben Sie mindestens 300.');
  expect(adviceOf('en')).toBe('The text has 34 words. Write at least 300.');
  expect(adviceOf('fr')).toBe('Le texte compte 34 mots. Écrivez-en 300 au moins.');
});

const PLAIN: AnalysisInput = {
  language: 'nl',
  kind: 'post',
  title: 'Deurkruk van staal',
  description: '',
  slug: 'deurkruk',
  keyphrase: 'deurkruk',
  html: '<p>Een deurkruk van staal past op bijna elke deur. Hij gaat lang mee en is eenvoudig te monteren.</p>',
};

test('a language without rules skips the checks that need them', () => {
  const { results, readingEase, readability, seo } = analyseText(PLAIN);
  const ids = results.map(({ id }) => id);
  expect(ids).not.toContain('passiveVoice');
  expect(ids).not.toContain('transitionWords');
  expect(ids).toContain('sentenceLength');
  expect({ readingEase, readability }).toEqual({ readingEase: undefined, readability: 90 });
  expect(seo).toBeGreaterThan(0);
});

test('fragments, mail and telephone links are neither internal nor outbound', () => {
  const links = ['#top', 'mailto:a@b.test', 'tel:+49', '/deurkruk/', 'https://shop.test/deurkruk/#x', 'javascript:x()'];
  const html = links.map((href) => `<a href="${href}">x</a>`).join(' ');
  const { results } = analyseText({ ...PLAIN, html, address: 'https://shop.test/deurkruk/' });
  const ratings = new Map(results.map(({ id, rating }) => [id, rating]));
  expect([ratings.get('internalLinks'), ratings.get('outboundLinks')]).toEqual(['bad', 'bad']);
});

test('rates a keyphrase by how many other pages have it', () => {
  const found = [0, 1, 2].map((keyphraseUses) => analyseText({ ...PLAIN, keyphraseUses }).results);
  const ratings = found.map((results) => results.find(({ id }) => id === 'keyphraseReuse')?.rating);
  expect(ratings).toEqual(['good', 'ok', 'bad']);
});
