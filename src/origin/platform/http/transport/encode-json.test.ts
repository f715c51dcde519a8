import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { encodeJson, cacheJson } from './encode-json.ts';

/** Encodes by `JSON.stringify` and escapes afterwards. */
function escaped(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, undefined, indent);
  return json
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[^\0-\u007F]/gu, (sign) =>
      Array.from({ length: sign.length }, (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
    );
}

async function encoded(value: unknown, pretty = false): Promise<string> {
  return (await encodeJson(value, pretty)).join('');
}

const LONG = `x${'😀/"\\\u2028ä\n\uD800'.repeat(30_000)}`;

test.each([
  ['text', LONG],
  ['list', [LONG, [], [[LONG]], 1, null]],
  ['row', { id: 1, none: undefined, content: { raw: LONG, rendered: '' }, empty: {}, list: [], date: new Date(0) }],
  ['rows', [{ a: 1 }, { a: LONG, 'ä/"': { b: [LONG, { c: 'd' }] } }]],
  ['hole', [undefined, { a: [undefined] }]],
  ['short', { a: [1, { b: '/ä' }] }],
])('what is encoded in pieces says what it says as a whole: %s', async (_, value) => {
  expect(await encoded(value)).toBe(escaped(value));
  expect(await encoded(value, true)).toBe(escaped(value, 4));
});

test.each([LONG, { content: { raw: LONG } }, [LONG], Array.from({ length: 20_000 }, (_, id) => ({ id, slug: 'ä' }))])(
  'others get their turn while anything long is encoded, laid out or not',
  async (value) => {
    for (const pretty of [false, true]) {
      const progress = { isDone: false };
      const done = encodeJson(value, pretty).finally(() => {
        progress.isDone = true;
      });
      let turns = 0;
      for (; !progress.isDone; turns++) await setImmediate();
      await done;
      expect(turns).toBeGreaterThan(3);
    }
  },
);

test('cached JSON is the same alone, as a member, and pretty-printed', async () => {
  const routes = cacheJson({ '/ä': [1, { text: '😀/"\u2028ä' }], none: undefined });
  for (const value of [routes, { name: 'x', routes, last: '/' }, { in: { it: routes } }, [routes]]) {
    for (let again = 0; again < 2; again += 1) {
      expect(await encoded(value)).toBe(escaped(value));
      expect(await encoded(value, true)).toBe(escaped(value, 4));
    }
  }
});
