import { expect, it } from 'vitest';
import { makerAddress } from './navigation.ts';

const address = ['Am Prüfstand 1', '00000 Haldenbrück'];

it.each([
  ['de-de', 'Deutschland'],
  ['en-gb', 'Germany'],
  ['fr-fr', 'Allemagne'],
  ['it-it', 'Germania'],
])('names the country in the language of the page: %s', (language, country) => {
  expect(makerAddress({ address, country: 'DE' }, language)).toEqual([...address, country]);
});

it('leaves an address as it is written where no country is named', () => {
  expect(makerAddress({ address }, 'fr-fr')).toEqual(address);
});
