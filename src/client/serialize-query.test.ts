import { expect, it } from 'vitest';
import { serializeQuery } from './serialize-query.ts';

it.each([
  [{}, ''],
  [{ language: undefined }, ''],
  [{ page: 2, sticky: false }, '?page=2&sticky=false'],
  [{ include: [1, 2, 3] }, '?include=1,2,3'],
  [{ exclude: [] }, '?exclude='],
  [{ slug: ['a', 'b c'] }, '?slug[0]=a&slug[1]=b%20c'],
  [{ slug: ['a,b'] }, '?slug[0]=a,b'],
  [{ categories: { terms: [1, 2], operator: 'AND' } }, '?categories[terms]=1,2&categories[operator]=AND'],
  [{ modified_after: '2026-11-21T10:00:00+01:00' }, '?modified_after=2026-11-21T10:00:00%2B01:00'],
  [{ search: 'Öl & Fett' }, '?search=%C3%96l%20%26%20Fett'],
])('%j', (query, text) => {
  expect(serializeQuery(query)).toBe(text);
});
