import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs, lowestMeasurement } from '#files/testing/measure-cpu.ts';
import { plainText as plainTextOfSite } from '#sync/publishing/sanitise-html.ts';
import { plainText } from './plain-text.ts';

test.each([
  ['<p>A <b>roof</b></p>\n and <!-- not this -->walls', 'A roof and walls'],
  ['<style>p { color: red }</style>a<script>alert("</b>")</script>b', 'ab'],
  ['<a title="1 > 0">x</a> 1 < 2 <3', 'x 1 < 2 <3'],
  ["<p class=it's>shown</p>", 'shown'],
  ['<img src=x onerror=alert(1) ', ''],
  ['"><svg onload=alert(1)', '">'],
  ['<<b>script>alert(1)</script>', 'script>alert(1)'],
  ['<<<b>b>img src=x>', 'b>img src=x>'],
  ['2 <<!-- -->3 < 4', '2 <3 < 4'],
])('the text of %j is %j', (html, text) => {
  expect(plainText(html)).toBe(text);
});

test.each(['<a', '<script', '<a "', `<a '`, '<!--', '</', '<a ">\''])(
  'a text of nothing but %j is read at once',
  async (part) => {
    const text = part.repeat(200_000);
    expect(await lowestMeasurement(() => cpuMs(() => plainText(text)), 1000)).toBeLessThan(1000);
  },
);

test('no text holds markup, whatever the tags that are left out stood between', () => {
  const parts = fc.constantFrom(
    '<',
    '<<',
    '>',
    '</',
    '<!--',
    '-->',
    '<b>',
    '</b>',
    '<br/>',
    'script',
    'img ',
    'x',
    ' ',
    '"',
    '!',
    '?',
    '/',
    '=',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 14 }), (written) => {
      const html = written.join('');
      expect(plainText(html)).not.toMatch(/<[a-z/!?]/i);
      expect(plainTextOfSite(html)).not.toMatch(/<(?:\/?[a-z]|!--)/i);
      expect(plainText(plainText(html))).toBe(plainText(html));
    }),
    { seed: 20_261_122, numRuns: 5000 },
  );
});
