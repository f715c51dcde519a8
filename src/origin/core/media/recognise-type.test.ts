import { expect, test } from 'vitest';
import { recogniseType } from './recognise-type.ts';

const TEXT = { base: 'list', extension: 'txt' };

test.each([
  ['a text in whatever encoding', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 9, 13, 10, 27]), 'text/plain'],
  ['bytes that are no text', Buffer.from('list\0'), undefined],
])('%s is told by its bytes', async (_, bytes, mimeType) => {
  expect((await recogniseType(bytes, TEXT))?.mimeType).toBe(mimeType);
});

test('others are served while a large text is looked at, to its last byte', async () => {
  const bytes = Buffer.alloc(32 * 1024 * 1024, 'declared values ');
  bytes[bytes.length - 1] = 1;
  let longestMs = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - last);
    last = performance.now();
  }, 1);
  expect(await recogniseType(bytes, TEXT)).toBeUndefined();
  clearInterval(beat);
  expect(longestMs).toBeGreaterThan(0);
  expect(longestMs).toBeLessThan(250);
});
