import { expect, it } from 'vitest';
import { groupConsecutive } from './group-consecutive.ts';

const firstLetter = (word: string): string => word.slice(0, 1);

it.each([
  [[], []],
  [['apple'], [['apple']]],
  [
    ['apple', 'ash', 'beech'],
    [['apple', 'ash'], ['beech']],
  ],
  // A recurring key starts a new group.
  [
    ['apple', 'beech', 'ash'],
    [['apple'], ['beech'], ['ash']],
  ],
])('gathers neighbours of the same key: %j', (words, runs) => {
  expect([...groupConsecutive(words, firstLetter)]).toEqual(runs);
});

it('reads no further than to the first item of the next run', () => {
  const read: string[] = [];
  const words = ['apple', 'ash', 'beech', 'birch'].values().map((word) => (read.push(word), word));
  expect(groupConsecutive(words, firstLetter).next().value).toEqual(['apple', 'ash']);
  expect(read).toEqual(['apple', 'ash', 'beech']);
});
