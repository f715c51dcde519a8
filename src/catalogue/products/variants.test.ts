import { describe, expect, it } from 'vitest';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { variantGroups, differingFields } from './listed-product.ts';

const groupsOf = (overlays: Record<string, string | string[] | undefined>) =>
  Object.fromEntries(variantGroups(Object.entries(overlays).map(([id, variants]) => ({ id, data: { variants } }))));

describe('variantGroups', () => {
  it('joins those that share a name', () => {
    expect(groupsOf({ a: 'x', b: 'y', 'de-de/c': 'x', d: undefined })).toEqual({ a: ['a', 'c'], c: ['a', 'c'] });
  });

  it('joins those that one of them lists, in either direction and in a chain', () => {
    const all = ['a', 'b', 'c', 'd'];
    expect(groupsOf({ a: ['b', 'c'], c: ['d'] })).toEqual({ a: all, b: all, c: all, d: all });
  });
});

describe('differingFields', () => {
  it('names what tells formats apart, and nothing else', () => {
    const wide = { width: { value: 3, text: '3' }, area: { value: 150, text: '150' } };
    expect(differingFields([createProductEntry(), createProductEntry(wide)])).toEqual(['width', 'area']);
    expect(
      differingFields([createProductEntry(), createProductEntry({ width: { value: 1.5, text: '1.50' } })]),
    ).toEqual([]);
  });
});
