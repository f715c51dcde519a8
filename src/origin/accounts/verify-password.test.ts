import { expect, test } from 'vitest';
import { hashPassword } from './hash-password.ts';
import { verifyPassword } from './verify-password.ts';

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
  await verifyPassword('', 'warm');
  const known = await medianMs(() => verifyPassword(hash, 'wrong'));
  const unknown = await medianMs(() => verifyPassword('', 'wrong'));
  expect(unknown).toBeGreaterThan(known / 3);
});

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[4] ?? 0;
}
