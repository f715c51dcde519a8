import { describe, expect, it } from 'vitest';
import { labelLanguages } from './label-languages.ts';

const named = (...languages: [code: string, name: string][]) =>
  labelLanguages(languages.map(([code, name]) => ({ code, name }))).map(({ name }) => name);

describe('labelLanguages', () => {
  it('leaves out a region that tells nothing apart', () => {
    expect(named(['de-de', 'Deutsch (Deutschland)'], ['fr-fr', 'français (France)'])).toEqual(['Deutsch', 'Français']);
  });

  it('keeps the regions of a language that is built for several', () => {
    expect(named(['de-de', 'Deutsch (Deutschland)'], ['de-at', 'Deutsch (Österreich)'])).toEqual([
      'Deutsch (Deutschland)',
      'Deutsch (Österreich)',
    ]);
  });
});
