import { expect, it } from 'vitest';
import { ratiosOf, toRows, type BuilderName, type BuildRun, type Scenario } from './build-rows.ts';
import { drawChart } from './draw-chart.ts';
import { showBuildRows } from './show-build-rows.ts';

function run(builder: BuilderName, scenario: Scenario, seconds: number, pages = 999): BuildRun {
  return { pages, builder, scenario, seconds, cpuSeconds: seconds, megabytes: undefined };
}

const rows = toRows([
  ...[9, 2, 4].map((seconds) => run('ours', 'cold', seconds)),
  ...[30, 34].map((seconds) => run('astro', 'cold', seconds)),
  run('ours', 'cached-bundle', 0.5),
  run('ours', 'one', 0.25),
  run('astro', 'one', 25),
  run('bare', 'one', 0.05),
  run('facts', 'cold', 3),
  run('ours', 'one', 2, 99_999),
  run('astro', 'one', 80, 99_999),
]);

it('takes medians, of an even number the middle between two', () => {
  expect(rows.slice(0, 2)).toMatchObject([
    { builder: 'ours', seconds: 4, cpuSeconds: 4, megabytes: undefined, runs: 3 },
    { builder: 'astro', seconds: 32, runs: 2 },
  ]);
});

it('says how many times as long as ours a peer takes, and leaves out what was not measured', () => {
  expect(ratiosOf(rows, 999)).toEqual({
    astro: { cold: 8, 'cached-bundle': 64, one: 100 },
    bare: { one: 0.2 },
  });
  expect(ratiosOf(rows, 99_999)).toEqual({ astro: { one: 40 } });
});

it('shows them as tables', () => {
  const lines = showBuildRows(rows).split('\n');
  expect(lines).toContain('| pages | scenario | ours, s | astro | bare |');
  expect(lines).toContain('| 999 | one | 0.25 | 100 | 0.2 |');
  expect(lines).toContain('| 999 | cold | 4 | 8 | – |');
  expect(lines).toContain('| 999 | cold | ours | 3 | 4 | 4 | – |');
  expect(lines).toContain('| 999 | cold | facts | 1 | 3 | 3 | – |');
});

it('draws them with bars to scale', () => {
  const chart = drawChart(rows);
  const widths = [...chart.matchAll(/<rect x="\d+" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
  const [ours = 0, astro = 0] = widths;
  expect(widths).toHaveLength(rows.length);
  expect(astro / ours).toBeCloseTo(8, 1);
  expect(chart).toContain('32.00 s · 8×');
  expect(chart).toContain('99,999 product pages');
});
