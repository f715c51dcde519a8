import { describe, expect, test } from 'vitest';
import { planDates, type DateInput } from './plan-content.ts';

const now = new Date('2026-11-21T09:00:00Z');
const berlin = { now, timeZone: 'Europe/Berlin' };
const present = { date: '2026-11-21 10:00:00', dateGmt: '2026-11-21 09:00:00' };

describe('a new row', () => {
  test.each<[string, DateInput, string, object]>([
    ['now', {}, 'publish', { ...present, status: 'publish' }],
    ['a draft floats', {}, 'draft', { ...present, dateGmt: null, status: 'draft' }],
    [
      'site time',
      { date: '2026-07-01T08:00:00' },
      'draft',
      { date: '2026-07-01 08:00:00', dateGmt: '2026-07-01 06:00:00' },
    ],
    ['a zone', { date: '2026-01-01T00:00:00-05:00' }, 'draft', { date: '2026-01-01 06:00:00' }],
    ['UTC', { date_gmt: '2026-01-01T00:00:00' }, 'draft', { date: '2026-01-01 01:00:00' }],
    [
      'date before date_gmt',
      { date: '2026-01-01T00:00:00', date_gmt: '2026-03-03T00:00:00' },
      'draft',
      { date: '2026-01-01 00:00:00' },
    ],
    [
      'the hour that spring skips',
      { date: '2026-03-29T02:30:00' },
      'draft',
      { date: '2026-03-29 03:30:00', dateGmt: '2026-03-29 01:30:00' },
    ],
    [
      'the first of an hour that autumn shows twice',
      { date: '2026-10-25T02:30:00+02:00' },
      'draft',
      { date: '2026-10-25 02:30:00', dateGmt: '2026-10-25 00:30:00' },
    ],
    [
      'the second',
      { date: '2026-10-25T02:30:00+01:00' },
      'draft',
      { date: '2026-10-25 02:30:00', dateGmt: '2026-10-25 01:30:00' },
    ],
    ['a day that the month lacks', { date: '2026-02-30T00:00:00' }, 'draft', { date: '2026-03-02 00:00:00' }],
    ['beyond the last year', { date: '9999-12-31T23:59:59-12:00' }, 'draft', { date: '9999-12-31 23:59:59' }],
  ])('%s', (_, sent, status, expected) => {
    expect(planDates(sent, { ...berlin, before: undefined, status })).toMatchObject(expected);
  });

  test.each([
    ['publish', '2026-11-21T09:00:59', 'publish'],
    ['publish', '2026-11-21T09:01:00', 'future'],
    ['future', '2026-11-21T09:00:59', 'publish'],
    ['future', '2026-11-21T09:01:00', 'future'],
    ['private', '2027-01-01T00:00:00', 'private'],
  ])('%s at %s is %s', (status, gmt, expected) => {
    expect(planDates({ date_gmt: gmt }, { ...berlin, before: undefined, status }).status).toBe(expected);
  });
});

describe('a row that is there', () => {
  const fixed = { date: '2026-08-01 10:00:00', dateGmt: '2026-08-01 08:00:00', status: 'publish' };
  const floating = { date: '2026-08-01 10:00:00', dateGmt: null, status: 'draft' };

  test.each<[string, DateInput, typeof fixed | typeof floating, string, object]>([
    ['keeps its date', {}, fixed, 'draft', { ...fixed, status: 'draft' }],
    ['a floating date moves on', {}, floating, 'draft', { ...present, dateGmt: null }],
    ['and stands when it is published', {}, floating, 'publish', present],
    [
      'sending back a floating date does not set it',
      { date: '2026-08-01T10:00:00' },
      floating,
      'draft',
      { dateGmt: null },
    ],
    ['another one does', { date: '2026-08-01T10:00:01' }, floating, 'draft', { dateGmt: '2026-08-01 08:00:01' }],
    ['null takes it back', { date: null }, fixed, 'draft', { ...present, dateGmt: null }],
    ['and is now for what is published', { date: null }, fixed, 'publish', present],
    ['the trash touches nothing', {}, floating, 'trash', { date: floating.date, dateGmt: null }],
    ['a later date makes it wait', { date: '2035-01-01T00:00:00' }, fixed, 'publish', { status: 'future' }],
  ])('%s', (_, sent, before, status, expected) => {
    expect(planDates(sent, { ...berlin, before, status })).toMatchObject(expected);
  });
});
