import { expect, it } from 'vitest';
import { withoutEmptyRuns, type ChangeRun } from './change-feed.ts';

const post: ChangeRun['changes'][number] = { kind: 'post', change: 'added', title: 'x', fields: [] };

/** A run from a state to the next one. */
const run = (from: string, to: string, changes: ChangeRun['changes'], complete = true): ChangeRun => ({
  id: to,
  at: new Date(0),
  digest: to,
  previousDigest: from,
  complete,
  changes,
});

it('leaves out runs that the site shows nothing of, and links their neighbours', () => {
  const runs = [run('e', 'f', []), run('d', 'e', [post]), run('c', 'd', []), run('b', 'c', []), run('a', 'b', [post])];
  expect(withoutEmptyRuns(runs).map(({ digest, previousDigest }) => [previousDigest, digest])).toEqual([
    ['b', 'e'],
    ['a', 'b'],
  ]);
});

it('keeps runs whose changes are not all known', () => {
  expect(withoutEmptyRuns([run('a', 'b', [], false)])).toHaveLength(1);
});
