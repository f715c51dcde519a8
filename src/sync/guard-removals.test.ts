import { describe, expect, it } from 'vitest';
import type { Removal } from '../snapshot/index.ts';
import { guardRemovals } from './guard-removals.ts';

const removals = (count: number, kind: Removal['kind'] = 'product'): Removal[] =>
  Array.from({ length: count }, (_, i) => ({ kind, id: String(i), language: 'de-de', reason: 'gone' }));
const known = (count: number, kind: Removal['kind'] = 'product') => new Map([[kind, count]]);

describe('guardRemovals', () => {
  it.each([
    [3, 4, true],
    [4, 4, false],
    [3, 30, true],
    [4, 30, false],
    [10, 100, true],
    [11, 100, false],
    [0, 0, true],
  ])('%i of %i: %s', (count, all, passes) => {
    const guard = () => guardRemovals(removals(count), known(all), undefined);
    if (passes) expect(guard).not.toThrow();
    else expect(guard).toThrow(expect.objectContaining({ code: 'REMOVALS_REFUSED' }));
  });

  it('counts each kind for itself, so that many products don’t cover few posts', () => {
    const known = new Map<Removal['kind'], number>([
      ['product', 1000],
      ['post', 10],
    ]);
    expect(() => guardRemovals(removals(4, 'post'), known, undefined)).toThrow(/4 of 10 post records \(at most 3\)/);
  });

  it('leaves our own lists alone', () => {
    expect(() => guardRemovals(removals(9, 'family'), known(9, 'family'), undefined)).not.toThrow();
  });

  it('takes the digest of exactly these removals, in any order', () => {
    let hint = '';
    try {
      guardRemovals(removals(5), known(10), undefined);
    } catch (error) {
      hint = (error as { hint: string }).hint;
    }
    const accept = /--accept (\w+)/.exec(hint)?.[1];
    expect(() => guardRemovals(removals(5).toReversed(), known(10), accept)).not.toThrow();
    expect(() => guardRemovals(removals(6), known(10), accept)).toThrow();
  });
});
