import { expect, test } from 'vitest';
import { cutSlug, normaliseSlug } from './slugs.ts';

test.each([
  ['Äpfel und Öl: naïve café ☕', 'apfel-und-ol-naive-cafe-%e2%98%95'],
  ['Tom & Jerry <em>report</em> "quoted" -- it\'s here...', 'tom-jerry-report-quoted-its-here'],
  ['SDK 2.0 / TypeScript', 'sdk-2-0-typescript'],
  ['Straße', 'strase'],
  ['snake_case', 'snake_case'],
  ['apfel-%E2%98%95', 'apfel-%e2%98%95'],
  ['  --a––b--  ', 'a-b'],
  ['日本', '%e6%97%a5%e6%9c%ac'],
  ['!?', ''],
])('%s', (text, slug) => {
  expect(normaliseSlug(text)).toBe(slug);
});

test('is never longer than 200 bytes, and never cuts a letter', () => {
  expect(normaliseSlug('a'.repeat(300))).toHaveLength(200);
  const cut = normaliseSlug('日'.repeat(50));
  expect(cut).toHaveLength(198);
  expect(decodeURIComponent(cut)).toBe('日'.repeat(22));
});

test('a slug of another server that holds what is no octet is cut as well', () => {
  expect(cutSlug(`a%zz${'b'.repeat(300)}`)).toBe(`a%zz${'b'.repeat(196)}`);
  expect(cutSlug(`%zz${'a'.repeat(195)}%e6%97%a5`, 200)).toBe(`%zz${'a'.repeat(195)}`);
});
