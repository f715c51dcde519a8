import { describe, expect, it } from 'vitest';
import { directorySection, sectionLetter } from './directory-view.ts';
import { sortKey } from '../languages/fold-text.ts';

describe('the A-Z list', () => {
  it.each([
    ['DIFFRANA Vario 75', 'd', 'D'],
    ['Äthera', 'a', 'A'],
    ['Étanche', 'e', 'E'],
    ['3M Band', '0-9', '0-9'],
    ['жидкость', 'u0436', 'Ж'],
    ['شريط', 'u0634', 'ش'],
  ])('has %s under its letter', (name, section, letter) => {
    expect([directorySection(name), sectionLetter(section)]).toEqual([section, letter]);
  });

  it('has a place for what begins with a sign', () => {
    expect([directorySection('…'), directorySection(''), sectionLetter('other')]).toEqual([
      'other',
      'other',
      undefined,
    ]);
  });

  it('sorts without marks and case, and numbers by their size', () => {
    const names = ['Uni 150', 'Überband', 'uni 60', 'Ueber'];
    expect(names.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))).toEqual([
      'Überband',
      'Ueber',
      'uni 60',
      'Uni 150',
    ]);
  });
});
