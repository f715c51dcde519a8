import { expect, it } from 'vitest';
import { parseInterval } from './run-queue.ts';

it.each([
  ['5m', 300_000],
  ['30s', 30_000],
  ['1.5h', 5_400_000],
  ['90', 90_000],
  ['250ms', 250],
  ['1d', 86_400_000],
])('reads %s', (text, ms) => expect(parseInterval(text)).toBe(ms));

it.each(['', '0', '-5m', '5 minutes', 'm', '1w', '30d', 'Infinity'])('refuses "%s"', (text) =>
  expect(parseInterval(text)).toBeUndefined(),
);
