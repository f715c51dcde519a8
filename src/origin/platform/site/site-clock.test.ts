import { describe, expect, test } from 'vitest';
import { fromSiteTime, offsetHours, parseSiteTime, toSiteTime, toUtc } from '#contracts/site-clock.ts';
import { replaceSiteUrl } from './load-site.ts';

const BERLIN = 'Europe/Berlin';

describe('the clock of the site', () => {
  test.each([
    ['winter', '2026-01-05 09:00:00', '2026-01-05 08:00:00'],
    ['summer', '2026-06-15 12:00:00', '2026-06-15 10:00:00'],
    ['the hour that spring skips', '2026-03-29 02:30:00', '2026-03-29 01:30:00'],
    ['the hour that autumn shows twice', '2026-10-25 02:30:00', '2026-10-25 00:30:00'],
  ])('%s', (_, local, utc) => {
    expect(toUtc(local, BERLIN)).toBe(utc);
  });

  test('a skipped time reads back an hour later', () => {
    expect(toSiteTime(fromSiteTime('2026-03-29 02:30:00', BERLIN), BERLIN)).toBe('2026-03-29 03:30:00');
  });

  test('its distance from UTC', () => {
    expect(offsetHours(new Date('2026-07-01T00:00:00Z'), BERLIN)).toBe(2);
    expect(offsetHours(new Date('2026-07-01T00:00:00Z'), 'Asia/Kolkata')).toBe(5.5);
  });
});

test.each([
  ['2026-06-15T12:00:00', '2026-06-15 12:00:00'],
  ['2026-06-15 12:00:00.123', '2026-06-15 12:00:00'],
  ['2026-06-15T10:00:00Z', '2026-06-15 12:00:00'],
  ['2026-06-15T12:00:00+02:00', '2026-06-15 12:00:00'],
  ['2026-06-15T05:30:00-0430', '2026-06-15 12:00:00'],
  ['2026-06-15T12:00:00+02', '2026-06-15 12:00:00'],
  ['2026-02-30T00:00:00', '2026-03-02 00:00:00'],
])('readWireTime(%s)', (text, expected) => {
  expect(parseSiteTime(text, BERLIN)).toBe(expected);
});

test.each([
  ['<a href="http://old.test/x/">http://old.test</a>', '<a href="https://new.test/x/">https://new.test</a>'],
  ['http://old.test:8080/ http://old.test.example/', 'http://old.test:8080/ http://old.test.example/'],
  ['See http://old.test. Or not.', 'See https://new.test. Or not.'],
])('relocate(%s)', (text, expected) => {
  expect(replaceSiteUrl(text, 'http://old.test', 'https://new.test')).toBe(expected);
});
