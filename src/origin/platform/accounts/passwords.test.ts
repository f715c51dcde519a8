import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

test('knows a password from its argon2id hash', async () => {
  const hash = await hashPassword('Dampfbremse 75 µ');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hash, 'Dampfbremse 75 µ')).toBe(true);
  expect(await verifyPassword(hash, 'dampfbremse 75 µ')).toBe(false);
});

test('an account without a password has no password, not even the decoy', async () => {
  expect(await verifyPassword('', '')).toBe(false);
  expect(await verifyPassword('', 'decoy')).toBe(false);
  expect(await verifyPassword('not a hash', 'x')).toBe(false);
});

test('works as long without a hash as with one', async () => {
  const hash = await hashPassword('x');
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  // In turns, and the best of each: what else the machine does must not count.
  for (let round = 0; round < 9; round += 1) {
    times.known.push(await timed(() => verifyPassword(hash, 'wrong')));
    times.unknown.push(await timed(() => verifyPassword('', 'wrong')));
  }
  expect(Math.min(...times.unknown)).toBeGreaterThan(Math.min(...times.known) / 3);
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
