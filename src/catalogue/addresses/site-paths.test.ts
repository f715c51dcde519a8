import { afterEach, expect, it } from 'vitest';
import { digitalLink } from './shop-paths.ts';
import {
  hostPath,
  outputPath,
  normaliseBase,
  stripBasePath,
  stripSitePath,
  sitePath,
  setBasePath,
} from './site-paths.ts';
import { productPath } from './paths.ts';

afterEach(() => setBasePath('/'));

it.each([
  ['/', '/'],
  ['', '/'],
  ['/katalog', '/katalog/'],
  ['katalog/de/', '/katalog/de/'],
])('reads %j as %s', (base, folder) => expect(normaliseBase(base)).toBe(folder));

it('puts every address into the folder that the site lies in, and finds its place there again', () => {
  setBasePath('/katalog');
  const path = productPath('de-de', 'bahn-1');
  expect(path).toBe('/katalog/de-de/p/bahn-1/');
  expect(stripBasePath(path)).toBe('/de-de/p/bahn-1/');
  expect(outputPath(sitePath('/changes.json'))).toBe('changes.json');
  expect(digitalLink('9524010000016', new URL('https://host.example'))).toBe(
    'https://host.example/katalog/01/09524010000016',
  );
  expect(stripBasePath('/elsewhere/')).toBe('/elsewhere/');
});

it('places the catalogue in a folder of the site', () => {
  setBasePath('/site', '/catalogue');
  const path = productPath('de-de', 'bahn-1');
  expect(path).toBe('/site/catalogue/de-de/p/bahn-1/');
  expect(outputPath(path)).toBe('catalogue/de-de/p/bahn-1/');
  expect(stripSitePath(path)).toBe('/de-de/p/bahn-1/');
  expect(stripSitePath('/site/blog/')).toBe('/site/blog/');
  expect(hostPath('/favicon.svg')).toBe('/site/favicon.svg');
});
