import { expect, it } from 'vitest';
import { diffFields } from './format-report.ts';

it.each([
  ['nothing', { a: 1, b: 'x' }, { b: 'x', a: 1 }, []],
  ['one emptiness for another', { a: null, b: '', c: [] }, { d: undefined }, []],
  ['a value', { price: 142.5 }, { price: 149.9 }, [{ field: 'price', before: 142.5, after: 149.9 }]],
  [
    'a value that comes or goes',
    { a: 1 },
    { b: 2 },
    [
      { field: 'a', before: 1, after: undefined },
      { field: 'b', before: undefined, after: 2 },
    ],
  ],
  [
    'one item of a list',
    {
      attributes: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ],
    },
    {
      attributes: [
        { name: 'a', value: '1' },
        { name: 'b', value: '3' },
      ],
    },
    [{ field: 'attributes[1].value', before: '2', after: '3' }],
  ],
  [
    'a list of another length as a whole',
    { tags: [1] },
    { tags: [1, 2] },
    [{ field: 'tags', before: '[1]', after: '[1,2]' }],
  ],
])('sees %s', (_, before, after, fields) => {
  expect(diffFields(before, after)).toEqual(fields);
});

it('cuts long texts around what differs', () => {
  const [alt, neu] = ['ALT', 'NEU'].map((word) => ({ html: `${'a'.repeat(500)}${word}${'z'.repeat(500)}` }));
  const [change] = diffFields(alt, neu);
  expect(change?.before).toMatch(/^…a{20}ALTz+…$/);
  expect(change?.after).toMatch(/^…a{20}NEUz+…$/);
});
