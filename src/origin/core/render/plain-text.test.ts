import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test.each([
  ['<p>A <b>roof</b></p>\n and <!-- not this -->walls', 'A roof and walls'],
  ['<style>p { color: red }</style>a<script>alert("</b>")</script>b', 'ab'],
  ['<a title="1 > 0">x</a> 1 < 2 <3', 'x 1 < 2 <3'],
  ["<p class=it's>shown</p>", 'shown'],
  ['<img src=x onerror=alert(1) ', ''],
  ['"><svg onload=alert(1)', '">'],
])('the text of %j is %j', (html, text) => {
  expect(plainText(html)).toBe(text);
});

test.each(['<a', '<script', '<a "', `<a '`, '<!--', '</', '<a ">\''])(
  'a text of nothing but %j is read at once',
  (part) => {
    const before = process.threadCpuUsage();
    plainText(part.repeat(200_000));
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1000);
  },
);
