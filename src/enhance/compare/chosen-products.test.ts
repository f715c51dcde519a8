import { describe, expect, it } from 'vitest';
import { chosenProducts } from './start-compare.ts';

describe('chosenProducts', () => {
  it('reads up to four products of the family, each once and in the order of the address', () => {
    const products = ['a', 'b', 'c', 'd', 'e'].map((gtin) => ({ gtin }));
    const read = (query: string) => chosenProducts(products, new URLSearchParams(query));
    expect(read('p=c,a,c')).toEqual(['c', 'a']);
    expect(read('p=b&p=d')).toEqual(['b', 'd']);
    expect(read('p=a,b,c,d,e')).toEqual(['a', 'b', 'c', 'd']);
    expect(read('p=unknown')).toEqual([]);
    expect(read('')).toEqual([]);
  });
});
