import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { wireBoolean, wireDateTime, wireForms, wireInteger, wireList } from './wire.ts';

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value);

describe('wireInteger', () => {
  test.each([
    ['5', 5],
    [' 5 ', 5],
    ['5.0', 5],
    ['-3', -3],
    [7, 7],
  ])('%j is %i', (value, expected) => {
    expect(accepts(wireInteger(), value)).toEqual({ success: true, data: expected });
  });

  test.each(['1.5', '', 'abc', '1e3', null, [], true])('%j is none', (value) => {
    expect(accepts(wireInteger(), value).success).toBe(false);
  });
});

describe('wireBoolean', () => {
  test.each([
    ['TRUE', true],
    ['1', true],
    [1, true],
    ['false', false],
    ['0', false],
    [false, false],
  ])('%j is %j', (value, expected) => {
    expect(accepts(wireBoolean, value)).toEqual({ success: true, data: expected });
  });

  test.each(['yes', '', 2, null])('%j is none', (value) => {
    expect(accepts(wireBoolean, value).success).toBe(false);
  });
});

describe('wireList', () => {
  test.each([
    ['1,2 3', [1, 2, 3]],
    ['', []],
    [4, [4]],
    [
      ['5', 6],
      [5, 6],
    ],
  ])('%j is %j', (value, expected) => {
    expect(accepts(wireList(wireInteger()), value)).toEqual({ success: true, data: expected });
  });

  test('may refuse an item that comes twice', () => {
    expect(accepts(wireList(z.string(), { unique: true }), 'a,b').success).toBe(true);
    expect(accepts(wireList(z.string(), { unique: true }), 'a,a').success).toBe(false);
  });
});

test('wireForms takes each of its forms, and says that they exclude each other', () => {
  const forms = wireForms(wireList(wireInteger()), z.object({ terms: wireList(wireInteger()) }).strict());
  expect(accepts(forms, '1,2')).toEqual({ success: true, data: [1, 2] });
  expect(accepts(forms, { terms: '3' })).toEqual({ success: true, data: { terms: [3] } });
  expect(accepts(forms, { other: 1 }).success).toBe(false);
  expect(forms.meta()).toMatchObject({ exclusive: true });
});

test.each([
  ['2026-11-21T10:00:00', true],
  ['2026-11-21 10:00:00.25', true],
  ['2026-11-21t10:00:00z', true],
  ['2026-11-21T10:00:00+0530', true],
  ['2026-11-21T10:00:00+05', true],
  ['2026-11-21', false],
  ['2026-13-21T10:00:00', false],
  ['2026-11-21T24:00:00', false],
  ['2026-11-21T10:00', false],
  ['', false],
])('wireDateTime takes "%s": %j', (text, expected) => {
  expect(accepts(wireDateTime, text).success).toBe(expected);
});
