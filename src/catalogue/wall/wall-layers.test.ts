import { expect, it } from 'vitest';
import { insulationWave, layerEdges, layerSpan, WALL_LAYERS, WAVE } from './wall-layers.ts';

it('draws the layers to scale, each where the one before ends', () => {
  const edges = layerEdges();
  const widths = edges.slice(1).map((to, i) => to - (edges[i] ?? 0));
  const scale = (widths[0] ?? 0) / WALL_LAYERS[0].mm;
  expect(widths.map((width) => Math.round(width / scale))).toEqual(WALL_LAYERS.map(({ mm }) => mm));
  expect(layerSpan('board').from).toBe(layerSpan('cavity').to);
});

it('keeps the sign for insulation within its layer, and repeats it without a gap', () => {
  const points = insulationWave(200).match(/-?[\d.]+ -?[\d.]+/g) ?? [];
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => Number(point.split(' ')[axis])));
  expect(xs?.filter((x) => x < 0 || x > 200)).toEqual([]);
  expect((ys?.at(-1) ?? 0) - (ys?.[1] ?? 0)).toBe(WAVE);
});
