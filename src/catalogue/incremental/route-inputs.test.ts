import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { mayChange, ROUTE_INPUTS } from './route-inputs.ts';

const PAGES = path.resolve(import.meta.dirname, '../../pages');

it('names routes that there are', () => {
  expect(Object.keys(ROUTE_INPUTS).filter((route) => !existsSync(path.join(PAGES, route)))).toEqual([]);
});

it('leaves alone what an input has not changed for, and asks every route that it does not know', () => {
  const search = 'src/pages/[language]/search/index.astro';
  expect(mayChange(search, new Set())).toBe(false);
  expect(mayChange(search, new Set(['articles']))).toBe(false);
  expect(mayChange(search, new Set(['lists']))).toBe(true);
  expect(mayChange('src/pages/404.astro', new Set(['lists', 'articles']))).toBe(false);
  expect(mayChange('src/pages/llms.txt.ts', new Set())).toBe(false);
  expect(mayChange('src/pages/llms.txt.ts', new Set(['lists']))).toBe(true);
  expect(mayChange('src/pages/[language]/labels/[gtin].txt.ts', new Set())).toBe(true);
  expect(mayChange('node_modules/of-somebody/[language]/search/index.astro', new Set())).toBe(true);
});
