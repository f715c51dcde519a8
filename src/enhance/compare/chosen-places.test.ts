import { describe, expect, it } from 'vitest';
import { chosenPlaces } from './chosen-places.ts';

describe('chosenPlaces', () => {
  it('reads up to four products of the family, each once and in the order of the address', () => {
    const products = ['a', 'b', 'c', 'd', 'e'].map((gtin) => ({ gtin }));
    const read = (query: string) => chosenPlaces(products, new URLSearchParams(query));
    expect(read('p=c,a,c')).toEqual([2, 0]);
    expect(read('p=b&p=d')).toEqual([1, 3]);
    expect(read('p=a,b,c,d,e')).toEqual([0, 1, 2, 3]);
    expect(read('p=unknown')).toEqual([]);
    expect(read('')).toEqual([]);
  });
});
