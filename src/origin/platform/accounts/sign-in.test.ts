import { expect, test } from 'vitest';
import { parseNextPath } from './sign-in.ts';

test.each([
  ['/', '/'],
  ['/api/partner/v1/docs/', '/api/partner/v1/docs/'],
  ['/api/partner/v1/?language=fr-fr#x', '/api/partner/v1/?language=fr-fr#x'],
  ['/a?next=//b', '/a?next=//b'],
  ['/ü', '/%C3%BC'],
])('%s is a path of this site', (value, expected) => {
  expect(parseNextPath(value)).toBe(expected);
});

test.each([
  '',
  'docs/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/./\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  ' /docs/',
  '/a\r\nSet-Cookie: x=y',
])('%j is not', (value) => {
  expect(parseNextPath(value)).toBeUndefined();
});

test('anything but text is not', () => {
  expect(parseNextPath(undefined)).toBeUndefined();
  expect(parseNextPath(['/'])).toBeUndefined();
});
