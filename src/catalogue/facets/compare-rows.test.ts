import { describe, expect, it } from 'vitest';
import { compareRows, type TableColumn } from './family-table.ts';

const column = (id: string, texts: string[], of: number[][]): TableColumn => ({
  id,
  name: id,
  kind: 'text',
  unit: '',
  values: texts.map((text) => ({ text })),
  of,
});

describe('compareRows', () => {
  const columns = [
    column('same', ['E'], [[0], [0]]),
    column('other', ['1 m', '2 m'], [[0], [1]]),
    column('missing', ['W1'], [[0], []]),
    column('nobody', ['x'], [[], []]),
    column(
      'order',
      ['p', 'q'],
      [
        [0, 1],
        [1, 0],
      ],
    ),
  ];

  const cellsOf = (places: number[]) =>
    compareRows({ columns }, places).map(({ cells }) => cells.map((cell) => cell.map(({ text }) => text).join()));

  it('marks what differs, a value that is missing too, and leaves out what nobody declares', () => {
    expect(compareRows({ columns }, [0, 1]).map(({ id, differs }) => [id, differs])).toEqual([
      ['same', false],
      ['other', true],
      ['missing', true],
      ['order', false],
    ]);
  });

  it('gives what each product declares, in the order in which they were chosen', () => {
    expect(cellsOf([1, 0])).toEqual([
      ['E', 'E'],
      ['2 m', '1 m'],
      ['', 'W1'],
      ['q,p', 'p,q'],
    ]);
    expect(cellsOf([1])).toEqual([['E'], ['2 m'], ['q,p']]);
  });
});
