import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { encodeJson } from './respond.ts';

/** Encodes by `JSON.stringify` and escapes afterwards. */
function escaped(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, undefined, indent);
  return json
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[^\0-\u007F]/gu, (sign) =>
      Array.from({ length: sign.length }, (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
    );
}

const LONG = `x${'😀/"\\\u2028ä\n\uD800'.repeat(30_000)}`;

test.each([
  ['text', LONG],
  ['list', [LONG, [], [[LONG]], 1, null]],
  ['row', { id: 1, none: undefined, content: { raw: LONG, rendered: '' }, empty: {}, list: [], date: new Date(0) }],
  ['rows', [{ a: 1 }, { a: LONG, 'ä/"': { b: [LONG, { c: 'd' }] } }]],
  ['hole', [undefined, { a: [undefined] }]],
  ['short', { a: [1, { b: '/ä' }] }],
])('encodes rows as the whole: %s', async (_, value) => {
  expect(await encodeJson(value)).toBe(escaped(value));
  expect(await encodeJson(value, true)).toBe(escaped(value, 4));
});

test('other requests run while a long list is encoded', async () => {
  const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, slug: 'ä'.repeat(10) }));
  const progress = { isDone: false };
  const done = encodeJson(rows).finally(() => {
    progress.isDone = true;
  });
  let turns = 0;
  for (; !progress.isDone; turns++) await setImmediate();
  await done;
  expect(turns).toBeGreaterThan(3);
});
