import { afterEach, expect, it } from 'vitest';
import { renderContext } from './render-context.ts';
import type { ProductGroup } from './product-groups.ts';
import { groupsToRender } from './pages-to-render.ts';

afterEach(() => {
  renderContext.current = undefined;
});

const productGroup = (id: string | undefined): ProductGroup => ({
  family: id === undefined ? undefined : { id, name: id },
  count: 0,
  highlights: [],
  columns: [],
  version: '',
  image: undefined,
  firstGtin: '',
  zips: [],
  isMeasured: false,
  facets: [],
  shared: [],
  products: [],
  head: () => [],
  first: undefined,
});
const site = {
  languages: [
    { code: 'de-de', name: 'Deutsch' },
    { code: 'fr-fr', name: 'Français' },
  ],
  productGroups: () => [productGroup('membranes'), productGroup('tapes'), productGroup(undefined)],
};
const lookedAt = () => groupsToRender(site).map(({ language, family }) => `${language}/${family.id}`);

it('looks at a family in every language when it has changed in one, for its pages link to each other', () => {
  renderContext.current = {
    scope: { productGroups: new Set(['fr-fr/tapes']), products: [], withCrossReferenced: true },
  };
  expect(lookedAt()).toEqual(['de-de/tapes', 'fr-fr/tapes']);
});

it('looks at all families when it is not known what has changed', () => {
  expect(lookedAt()).toEqual(['de-de/membranes', 'de-de/tapes', 'fr-fr/membranes', 'fr-fr/tapes']);
});
