import { expect, it } from 'vitest';
import { collectIssues } from './collect-issues.ts';

/** Contains no digits, because these don't distinguish groups. */
const nameOf = (i: number) => `x_${[...String(i)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;

it('alike issues are one group, however many there are', () => {
  const issues = collectIssues();
  for (let i = 0; i < 300; i += 1) {
    issues.problem({ kind: 'product', id: `${i}`, field: `attributes[${i}].name`, problem: `is "${i}"`, wire: i });
  }
  expect(issues.list().problems).toMatchObject([
    { field: 'attributes[].name', problem: 'is "…"', count: 300, sample: { id: '0' } },
  ]);
  expect(issues.list().problems[0]?.records).toHaveLength(200);
});

it('a field of its own for each record doesn’t make a group for each, nor a long value a long report', () => {
  const issues = collectIssues();
  for (let i = 0; i < 2000; i += 1)
    issues.warning({ kind: 'product', id: `${i}`, field: nameOf(i), problem: 'is new' });
  expect(issues.list().warnings).toHaveLength(501);
  expect(issues.list().warnings.at(-1)).toMatchObject({
    count: 1500,
    field: '',
    problem: expect.stringContaining('more kinds'),
  });
  const long = 'y'.repeat(1_000_000);
  issues.problem({ kind: 'product', id: '1', field: long, problem: long, wire: long });
  expect(JSON.stringify(issues.list().problems).length).toBeLessThan(2000);
});
