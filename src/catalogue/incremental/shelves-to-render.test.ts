import { afterEach, expect, it } from 'vitest';
import { BUILD_HOST } from '../port/build-host.ts';
import type { Shelf } from '../site/stock-shelves.ts';
import { shelvesToRender } from './shelves-to-render.ts';

afterEach(() => {
  globalThis[BUILD_HOST] = undefined;
});

const shelf = (id: string | undefined): Shelf => ({
  family: id === undefined ? undefined : { id, name: id },
  count: 0,
  summary: '',
  highlights: [],
  image: undefined,
  firstGtin: '',
  isMeasured: false,
  documents: { count: 0, head: '', all: '' },
  facets: [],
  products: [],
  head: () => [],
  first: undefined,
});
const site = {
  languages: [
    { code: 'de-de', name: 'Deutsch' },
    { code: 'fr-fr', name: 'Français' },
  ],
  shelves: () => [shelf('membranes'), shelf('tapes'), shelf(undefined)],
};
const lookedAt = () => shelvesToRender(site).map(({ language, family }) => `${language}/${family.id}`);

it('looks at a family in every language when it has changed in one, for its pages link to each other', () => {
  globalThis[BUILD_HOST] = { scope: { shelves: new Set(['fr-fr/tapes']), products: [], withEntwined: true } };
  expect(lookedAt()).toEqual(['de-de/tapes', 'fr-fr/tapes']);
});

it('looks at all families when it is not known what has changed', () => {
  expect(lookedAt()).toEqual(['de-de/membranes', 'de-de/tapes', 'fr-fr/membranes', 'fr-fr/tapes']);
});
