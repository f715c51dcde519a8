import { expect, it } from 'vitest';
import { listTrustedAddresses } from './destination.ts';

it.each([
  ['http://169.254.169.254', false],
  ['http://127.0.0.1:9200', false],
  ['https://blog.example.com.evil.example', false],
  ['nothing', false],
  ['https://www.blog.example.com', true],
  ['http://blog.example.com/news', true],
])('a site that says it lies at %s is believed: %s', (home, isBelieved) => {
  const given = 'https://blog.example.com';
  expect(listTrustedAddresses(given, home)).toEqual(isBelieved ? [home, given] : [given]);
});
