import { expect, it } from 'vitest';
import { openManifest } from './build-manifest.ts';

const STATE = { fingerprint: 'a', distFolder: 'dist', complete: true };
const LIST = 'src/pages/journal.astro';
const PRODUCT = 'src/pages/p/[slug].astro';

const posts = { read: 'posts ["de"]', answer: 'one', sources: ['posts'] };
const languages = (answer: string) => ({ read: 'languages []', answer, sources: undefined });

it('knows which routes have read something, until that has another answer or everything is rendered', () => {
  const manifest = openManifest(':memory:');
  const { asked } = manifest;
  const routesOf = () => [...asked.all()].map(({ routes, ...answer }) => [answer, routes.length]);
  asked.putRoute(LIST, [posts], false);
  asked.putRoute(PRODUCT, [languages('de')], true);
  asked.put(LIST, [languages('de')]);
  asked.put(PRODUCT, []);
  expect(routesOf()).toEqual([
    [posts, 1],
    [languages('de'), 2],
  ]);
  expect(asked.scopedRoutes()).toEqual([PRODUCT]);
  const concerning = (source: string) => asked.concerning((sources) => sources?.includes(source) ?? true);
  expect(concerning('posts').map(({ read }) => read)).toEqual(['languages []', 'posts ["de"]']);
  expect(concerning('norms').map(({ read }) => read)).toEqual(['languages []']);
  expect(asked.routesConcerned((sources) => sources?.includes('posts') ?? false)).toEqual([LIST]);
  expect(asked.questionsOf([LIST, PRODUCT]).map(({ routes }) => routes.length)).toEqual([1, 2]);
  expect(asked.questionsOf([PRODUCT])).toEqual([{ ...languages('de'), routes: [{ route: PRODUCT, isScoped: true }] }]);
  manifest.begin(STATE, [], ['posts ["de"]']);
  asked.put(LIST, [languages('de, en')]);
  expect(routesOf()).toEqual([[languages('de, en'), 2]]);
  manifest.begin(STATE, 'all');
  expect([routesOf(), asked.scopedRoutes()]).toEqual([[], []]);
  manifest.close();
});
