import { describe, expect, it } from 'vitest';
import { isHazardStatement, formatHazardStatement, HAZARD_TEXTS } from './hazard.ts';

/** Parts 1 to 4 of annex III, and what Delegated Regulation (EU) 2023/707 has added, without codes that were deleted. */
const ANNEX_III = `
  H200 H201 H202 H203 H204 H205 H206 H207 H208 H220 H221 H222 H223 H224 H225 H226 H228 H229 H230 H231 H232 H240 H241
  H242 H250 H251 H252 H260 H261 H270 H271 H272 H280 H281 H290
  H300 H301 H302 H304 H310 H311 H312 H314 H315 H317 H318 H319 H330 H331 H332 H334 H335 H336 H340 H341 H350 H350i H351
  H360 H360F H360D H360FD H360Fd H360Df H361 H361f H361d H361fd H362 H370 H371 H372 H373
  H300+H310 H300+H330 H310+H330 H300+H310+H330 H301+H311 H301+H331 H311+H331 H301+H311+H331 H302+H312 H302+H332
  H312+H332 H302+H312+H332
  H400 H410 H411 H412 H413 H420
  EUH014 EUH018 EUH019 EUH029 EUH031 EUH032 EUH044 EUH066 EUH070 EUH071 EUH380 EUH381 EUH430 EUH431 EUH440 EUH441 EUH450
  EUH451 EUH201 EUH201A EUH202 EUH203 EUH204 EUH205 EUH206 EUH207 EUH208 EUH209 EUH209A EUH210 EUH211 EUH212 EUH401`
  .trim()
  .split(/\s+/);

describe('hazard statements', () => {
  it('are all of annex III, and no others', () => {
    expect(Object.keys(HAZARD_TEXTS).toSorted()).toEqual(ANNEX_III.toSorted());
  });

  it.each(ANNEX_III)('%s is worded in every language, as one or more sentences', (code) => {
    if (!isHazardStatement(code)) throw new Error(`${code} is missing`);
    const languages = Object.keys(HAZARD_TEXTS.H200);
    expect(languages).toEqual(expect.arrayContaining(['de', 'en', 'es', 'fr', 'it', 'pt']));
    const texts = languages.map((language) => formatHazardStatement(code, language, { substances: 'X' }));
    expect(new Set(texts).size).toBe(languages.length);
    for (const text of texts) expect(text).toMatch(/^¡?\p{Lu}[^{}=']*[^\s{}=]\.$/u);
  });

  it('has the spaces of French before its signs', () => {
    const french = Object.values(HAZARD_TEXTS).map(({ fr = '' }) => fr);
    expect(french.filter((text) => /[^\u00a0\u202f][:;!?]/.test(text))).toEqual([]);
  });

  it('names substances, organs and routes where they are known', () => {
    expect(formatHazardStatement('EUH208', 'de-de', { substances: '1,2-Benzisothiazol-3(2H)-on' })).toBe(
      'Enthält 1,2-Benzisothiazol-3(2H)-on. Kann allergische Reaktionen hervorrufen.',
    );
    expect(formatHazardStatement('H373', 'en-gb', { organs: 'the lungs', route: 'if inhaled' })).toBe(
      'May cause damage to the lungs through prolonged or repeated exposure if inhaled.',
    );
    expect(formatHazardStatement('H373', 'en-gb')).toBe(
      'May cause damage to organs through prolonged or repeated exposure.',
    );
    expect(formatHazardStatement('H360', 'fr-fr', { effect: 'Peut nuire au fœtus' })).toBe('Peut nuire au fœtus.');
    expect(formatHazardStatement('H370', 'it-it')).toBe('Provoca danni agli organi.');
    expect(formatHazardStatement('H350', 'fi-fi')).toBe('May cause cancer.');
  });
});
