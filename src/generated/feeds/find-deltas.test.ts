import { expect, it } from 'vitest';
import type { StoredRun } from '#snapshot/index.ts';
import { findDeltas } from './feeds.ts';

const GTIN = '9524010000016';
const OTHER = '9524010000023';
const SHARED = 'https://media.example/ds.pdf';

interface TestChange {
  kind: string;
  id: string;
  change?: string;
  fields?: { field: string }[];
}

/** A run from one state to another. @param unlisted How many changes more there were than the report lists. */
function run(from: string | undefined, to: string, changes: readonly TestChange[], unlisted = 0): StoredRun {
  const listed = changes.map((change) => ({ name: '', change: 'changed', fields: [], ...change }));
  const report = { changes: listed, counts: { product: { '': { changed: listed.length + unlisted } } } };
  return {
    id: `${from}-${to}`,
    startedAt: '',
    finishedAt: '',
    changed: from !== to,
    digest: to,
    previousDigest: from,
    requests: 0,
    report: JSON.stringify(report),
  };
}

/** @param runs Newest first, as the snapshot gives them. */
function deltas(digest: string, ...runs: StoredRun[]): Record<string, string[]> {
  const found = findDeltas(
    { runs: () => runs, assetOwners: ({ url }) => (url === SHARED ? [GTIN, OTHER] : []) },
    digest,
  );
  return Object.fromEntries(found.map(({ since, gtins }) => [since, [...gtins].toSorted()]));
}

const product = (id: string): TestChange => ({ kind: 'product', id });

it('adds up what runs have changed since each earlier state', () => {
  expect(
    deltas(
      'c',
      run('c', 'c', []),
      run('b', 'c', [product(GTIN)]),
      run('a', 'b', [product(OTHER), { kind: 'post', id: '7' }]),
    ),
  ).toEqual({ b: [GTIN], a: [GTIN, OTHER] });
});

it('takes the longer way when a state has been there twice: who has it does not know which', () => {
  expect(
    deltas('a', run('b', 'a', [product(GTIN)]), run('a', 'b', [product(GTIN)]), run('b', 'a', [product(OTHER)])),
  ).toEqual({ b: [GTIN, OTHER] });
});

it.each([
  ['lists less than it has changed', run('a', 'b', [product(GTIN)], 1)],
  ['leads to another state', run('a', 'x', [product(GTIN)])],
  ['was the first', run(undefined, 'b', [product(GTIN)])],
  ['has changed a family', run('a', 'b', [{ kind: 'family', id: 'tapes' }])],
])('goes no further back than to a run that %s', (_, broken) => {
  expect(deltas('c', run('b', 'c', [product(OTHER)]), broken)).toEqual({ b: [OTHER] });
});

it('knows all products of a changed file, and those that have moved to another family', () => {
  expect(deltas('b', run('a', 'b', [{ kind: 'asset', id: SHARED }]))).toEqual({ a: [GTIN, OTHER] });
  const moved = { kind: 'assortment', id: 'assortment', fields: [{ field: `families.${OTHER}` }] };
  expect(deltas('b', run('a', 'b', [moved]))).toEqual({ a: [OTHER] });
});
