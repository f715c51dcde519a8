import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPlayTime, parsePlayTime, shortPlayTime } from './play-time.ts';

const HOUR_MS = 3_600_000;
const MAX_MS = 10_000 * HOUR_MS - 1;
const times = fc.integer({ min: 0, max: MAX_MS });

describe('a play time', () => {
  it.each([
    ['0', '00:00:00.000'],
    ['45', '00:00:45.000'],
    ['3600', '01:00:00.000'],
    ['12.5', '00:00:12.500'],
    ['3:07', '00:03:07.000'],
    ['03:07', '00:03:07.000'],
    ['90:00', '01:30:00.000'],
    ['1:2:3', '01:02:03.000'],
    ['01:02:03.456', '01:02:03.456'],
    ['00:00:01.1239', '00:00:01.123'],
    ['101:00:00', '101:00:00.000'],
    ['9999:59:59.999', '9999:59:59.999'],
  ])('%s is %s', (text, written) => {
    expect(formatPlayTime(parsePlayTime(text) ?? -1)).toBe(written);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '1.',
    '.5',
    ':30',
    '1:',
    '1::2',
    '1:60',
    '1:99:00',
    '1:00:60',
    '1:000',
    '0:00:00:00',
    '-5',
    '+5',
    '1e3',
    '1,5',
    'PT1H',
    '1h2m',
    'one hour',
    '00:00:00\n',
    '１:30',
    '10000:00:00',
    '36000000',
    '9'.repeat(400),
    `1.${'0'.repeat(400)}`,
  ])('is not %j', (text) => {
    expect(parsePlayTime(text)).toBeUndefined();
  });

  it('comes back as it was written, to the millisecond', () => {
    fc.assert(
      fc.property(times, (ms) => {
        expect(parsePlayTime(formatPlayTime(ms))).toBe(ms);
      }),
    );
  });

  it('comes back from its short form to the second', () => {
    fc.assert(
      fc.property(times, (ms) => {
        expect(parsePlayTime(shortPlayTime(ms))).toBe(Math.floor(ms / 1000) * 1000);
      }),
    );
  });

  it('is read from any text or from none, and only from what it writes in some form', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\d:. ]{0,16}$/), (text) => {
        const ms = parsePlayTime(text);
        if (ms === undefined) return;
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(parsePlayTime(formatPlayTime(ms))).toBe(ms);
      }),
    );
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('of %d milliseconds is zero', (ms) => {
    expect(formatPlayTime(ms)).toBe('00:00:00.000');
  });
});
