import { expect, it } from 'vitest';
import { formatBar } from './create-terminal.ts';

it.each([
  [{ value: 5, total: 10, progress: 0.5 }, `Posts [${'='.repeat(20)}${'-'.repeat(20)}] 5 of 10`],
  [{ value: 10, total: 10, progress: 1 }, `Posts [${'='.repeat(40)}] 10 of 10`],
  // The total is unknown.
  [{ value: 400, total: 0, progress: 0 }, 'Posts: 400'],
])('shows %j as a person reads it', (state, text) => {
  expect(formatBar({}, state, { stage: 'Posts' })).toBe(text);
});
