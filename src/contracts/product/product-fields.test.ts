import { expect, it } from 'vitest';
import { parseFieldValue, type FieldValue } from './product-fields.ts';

const COLOURS = { 'light-red': { de: 'Hellrot', en: 'Light red' }, white: 'RAL 9003' };

it.each<[Parameters<typeof parseFieldValue>[0], unknown, FieldValue | undefined, string[]]>([
  [{ type: 'text' }, ' Vlies ', 'Vlies', []],
  [{ type: 'text' }, 9003, '9003', []],
  [{ type: 'text' }, ['Vlies'], undefined, ['is not a text']],
  [{ type: 'number' }, '7.50', { value: 7.5, text: '7.50' }, []],
  [{ type: 'number' }, 0, { value: 0, text: '0' }, []],
  [{ type: 'number' }, '7,5', undefined, ['is not a number with a decimal point']],
  [{ type: 'boolean' }, false, false, []],
  [{ type: 'boolean' }, 'yes', undefined, ['is neither true nor false']],
  [{ type: 'date' }, '2026-11-28', '2026-11-28', []],
  [{ type: 'date' }, '2026-11-28T23:30:00+01:00', '2026-11-28', []],
  [{ type: 'date' }, new Date('2026-11-28'), '2026-11-28', []],
  [{ type: 'date' }, '28.11.2026', undefined, ['is not an ISO date such as "2026-11-28"']],
  [{ type: 'url' }, 'javascript:alert(1)', undefined, ['is not an http(s) address']],
  [{ type: 'url' }, 'https://user:secret@host.example/', undefined, ['contains a user name or password']],
  [{ type: 'choice', values: COLOURS }, 'LIGHT-RED', 'light-red', []],
  [{ type: 'choice', values: COLOURS }, 'Hellrot', 'light-red', []],
  [{ type: 'choice', values: COLOURS }, 'ral 9003', 'white', []],
  [{ type: 'choice', values: COLOURS }, 'constructor', undefined, ['is not one of light-red, white']],
  [{ type: 'list', values: COLOURS }, ['white', 'blue'], ['white'], ['is not one of light-red, white']],
  [{ type: 'list' }, ['a', '', 'b'], ['a', 'b'], []],
  [{ type: 'list' }, [], undefined, []],
  [{ type: 'number' }, null, undefined, []],
  [{ type: 'text' }, '', undefined, []],
])('reads a value of %o: %o', (field, wire, value, problems) => {
  expect(parseFieldValue(field, wire)).toEqual({ value, problems });
});
