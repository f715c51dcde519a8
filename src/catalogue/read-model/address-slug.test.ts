import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressSlug } from './content-paths.ts';

it.each([
  ['window-tapes', 'window-tapes'],
  ['%d0%ba%d0%bb%d0%b5%d0%b9', 'клей'],
  ['e\u0301te\u0301', 'été'],
  ['%d9%85%db%8c%e2%80%8c%d8%ae', 'می\u200cخ'],
  ['party-%f0%9f%8e%89', 'party-🎉'],
  ['a\u202eb', 'a-b'],
  ['..', '7'],
  ['%2e%2e%2fetc', '-etc'],
  ['a%0d%0aSet-Cookie: x', 'a-Set-Cookie-x'],
  ['a?b#c', 'a-b-c'],
  ['{$HOME};', '-HOME-'],
  ['\ud800', '7'],
])('%j is %j in an address', (slug, expected) => {
  expect(addressSlug({ slug, id: 7 })).toBe(expected);
});

it('is always one part of a path, which every file system and every host takes', () => {
  const slugs = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(slugs, (slug) => {
      const part = addressSlug({ slug, id: 7 });
      expect(part).toMatch(/^[^\s/\\.?#%"'<>$;{}|&:]+$/u);
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(200);
      expect(decodeURI(encodeURI(part))).toBe(part);
    }),
  );
});
