import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isSortimentError } from '#contracts/index.ts';
import { createTextExpander, readSynonyms } from './create-text-index.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-synonyms-'));
mkdirSync(path.join(folder, 'content/search'), { recursive: true });
const put = (file: string, text: string) => writeFileSync(path.join(folder, 'content/search', file), text);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('words that a text is also found by', () => {
  const synonyms = [
    ['Dampfbremse', 'Dampfsperre'],
    ['vapour control layer', 'VCL'],
    ['Klebeband', 'Tape'],
  ];
  const expand = createTextExpander({ synonyms, parts: [] });

  it('are those that mean the same, whatever form the word has', () => {
    expect(expand('Feuchtevariable Dampfbremsen für das Dach').split(' ')).toContain('Dampfsperre');
    expect(expand('A vapour  control layer').split(' ')).toContain('VCL');
  });

  it('are not those of a word that only looks alike', () => {
    expect(expand('VCLX and a scotchtape')).toBe('');
  });

  it('are those with umlauts as they are typed without', () => {
    expect(expand('Flüssiges für außen')).toBe('fluessiges fuer aussen');
    expect(expand('Band')).toBe('');
  });

  it('are the parts of words that are written together', () => {
    const split = createTextExpander({ synonyms: [], parts: ['Bremse', 'Band', 'Dämm'] });
    expect(split('Feuchtevariable Dampfbremsen')).toBe('bremse');
    expect(split('Wärmedämmplatte')).toBe('waermedaemmplatte damm');
    expect(split('Band und Bremsen')).toBe('');
  });
});

describe('the files with synonyms', () => {
  it.each([
    ['de-de', 'Dampfbremse', 'Dampfsperre'],
    ['en-gb', 'vapour barrier', 'VCL'],
    ['fr-fr', 'pare-vapeur', 'frein-vapeur'],
  ])('of the project can be read, %s', (language, one, other) => {
    expect(readSynonyms(ROOT, language).synonyms.some((group) => group.includes(one) && group.includes(other))).toBe(
      true,
    );
  });

  it('may be missing, and a region adds to its language', () => {
    put('de.yaml', 'synonyms:\n  - [a, b]\nparts: [band]\n');
    put('de-at.yaml', 'synonyms:\n  - [Marille, Aprikose]\n');
    expect(readSynonyms(folder, 'it-it')).toEqual({ synonyms: [], parts: [] });
    expect(readSynonyms(folder, 'de-at')).toEqual({
      synonyms: [
        ['Marille', 'Aprikose'],
        ['a', 'b'],
      ],
      parts: ['band'],
    });
  });

  it.each([
    ['synonyms:\n  - [a]\n  - [b, no]\n  - c: d\n', /synonyms\[0\] has fewer than two words/],
    ['synonyms: Dampfbremse\n', /synonyms is not a list of groups/],
    ['groups: []\n', /groups is not a known option/],
    ['synonyms: [\n', /not valid YAML/],
  ])('say what is wrong and what to do: %j', (text, problem) => {
    put('fr.yaml', text);
    try {
      readSynonyms(folder, 'fr-fr');
      expect.unreachable();
    } catch (error) {
      if (!isSortimentError(error)) throw error;
      expect(error.message).toMatch(problem);
      expect(error.message).toContain('content/search/fr.yaml');
      expect(error.hint).toContain('synonyms:');
    }
  });
});
