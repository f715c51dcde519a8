import { describe, expect, it } from 'vitest';
import type { UpstreamFailure } from '#client/upstream-result.ts';
import { shuffleEvenly, watchResponses } from './fetch-products.ts';

const answer = (kind: 'unauthorised' | 'unavailable'): UpstreamFailure => ({
  kind,
  method: 'GET',
  url: 'https://a.example/product/1/',
  status: kind === 'unauthorised' ? 403 : 503,
  detail: kind === 'unauthorised' ? '403 Forbidden' : '503 Service Unavailable',
  sample: '',
});

/** How many bad answers end the run; `g` is a good one, `u` a refusal, `x` no answer. */
function endsAfter(answers: string, { total = 1000, share = 0.2 } = {}): number | undefined {
  const watch = watchResponses(total, share);
  for (const [i, kind] of [...answers].entries()) {
    if (kind === 'g') watch.good();
    else watch.bad(answer(kind === 'u' ? 'unauthorised' : 'unavailable'));
    if (watch.verdict) return i + 1;
  }
  return undefined;
}

describe('a run', () => {
  it('ends when the first answers all refuse the credential, and not for one that does', () => {
    expect(endsAfter('uuu')).toBe(3);
    expect(endsAfter('uu' + 'gu'.repeat(50))).toBeUndefined();
  });

  it('ends when many in a row are bad, wherever that begins', () => {
    expect(endsAfter('x'.repeat(20))).toBe(10);
    expect(endsAfter('g'.repeat(30) + 'x'.repeat(20))).toBe(40);
    expect(endsAfter(('x'.repeat(9) + 'g').repeat(10))).toBeUndefined();
  });

  it('ends when too large a share is bad, and goes on at any when that guard is off', () => {
    expect(endsAfter('gx'.repeat(50), { total: 100 })).toBe(42);
    expect(endsAfter('gx'.repeat(50), { total: 100, share: 1 })).toBeUndefined();
    expect(endsAfter('gxxx', { total: 8 })).toBeUndefined();
    expect(endsAfter('x', { total: 1 })).toBe(1);
  });
});

it('the order in which records are asked for takes neighbours apart and leaves none out', () => {
  for (const count of [0, 1, 2, 7, 12, 600, 601]) {
    const mixed = shuffleEvenly(Array.from({ length: count }, (_, i) => i));
    expect(new Set(mixed).size).toBe(count);
    expect(mixed).toHaveLength(count);
  }
  // The first tenth being bad makes no three in a row.
  const bad = shuffleEvenly(Array.from({ length: 600 }, (_, i) => i < 60));
  expect(bad.some((_, i) => bad.slice(i, i + 3).filter(Boolean).length === 3)).toBe(false);
});
