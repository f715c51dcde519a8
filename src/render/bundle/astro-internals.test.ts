import { createHash, webcrypto } from 'node:crypto';
import { expect, it } from 'vitest';
import { refuseImages } from '../refuse-images.ts';
import { hashAtOnce } from './astro-internals.ts';

it('puts back what rendering changes of the process, and hashes alike meanwhile', async () => {
  const { subtle } = webcrypto;
  const globals = () => [Object.hasOwn(subtle, 'digest'), Reflect.get(globalThis, 'astroAsset')];
  const before = globals();
  const putBack = [hashAtOnce(), refuseImages(() => new Error('not here'))];
  expect(globals()).not.toEqual(before);
  for (const text of ['short', 'long '.repeat(10_000)]) {
    const digest = await subtle.digest('SHA-256', Buffer.from(text));
    expect(Buffer.from(digest).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'));
  }
  for (const put of putBack) put();
  expect(globals()).toEqual(before);
});
