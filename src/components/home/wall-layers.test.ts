import { expect, it } from 'vitest';
import { insulationPath, layerEdges, layerSpan, WALL_LAYERS } from './wall-layers.ts';

it('draws the layers to scale, each where the one before ends', () => {
  const edges = layerEdges();
  const widths = edges.slice(1).map((to, i) => to - (edges[i] ?? 0));
  const scale = (widths[0] ?? 0) / WALL_LAYERS[0].mm;
  expect(widths.map((width) => Math.round(width / scale))).toEqual(WALL_LAYERS.map(({ mm }) => mm));
  expect(layerSpan('board').from).toBe(layerSpan('cavity').to);
});

it('keeps the sign for insulation within its layer', () => {
  const numbers = insulationPath({ from: 100, to: 200 }, 0, 130).match(/(?<=[ML ])\d+(?= )/g) ?? [];
  expect(numbers.map(Number).filter((x) => x < 100 || x > 200)).toEqual([]);
});
