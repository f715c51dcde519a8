import { expect, test } from 'vitest';
import { arrangeTree } from './read-content.ts';

const parents: Readonly<Record<number, number>> = { 10: 0, 11: 10, 12: 11 };
const arrange = (nodes: readonly (readonly [id: number, parentId: number])[]) =>
  arrangeTree(
    nodes.map(([id, parentId]) => ({ id, parentId })),
    (id) => parents[id] ?? 0,
  ).map(({ id, level }) => [id, level]);

test.each([
  [
    'children stand behind their parents',
    [
      [1, 0],
      [2, 0],
      [3, 1],
      [4, 3],
    ],
    [
      [1, 0],
      [3, 1],
      [4, 2],
      [2, 0],
    ],
  ],
  [
    'siblings keep their order',
    [
      [3, 1],
      [1, 0],
      [2, 1],
    ],
    [
      [1, 0],
      [3, 1],
      [2, 1],
    ],
  ],
  [
    'orphans come last, at their true depth',
    [
      [5, 11],
      [1, 0],
      [6, 5],
    ],
    [
      [1, 0],
      [5, 2],
      [6, 3],
    ],
  ],
  [
    'circles end',
    [
      [1, 2],
      [2, 1],
    ],
    [
      [1, 0],
      [2, 1],
    ],
  ],
] as const)('%s', (_, nodes, expected) => {
  expect(arrange(nodes)).toEqual(expected);
});
