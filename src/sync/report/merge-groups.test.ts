import { expect, it } from 'vitest';
import { collectIssues, type Issue } from './collect-issues.ts';
import { formatIssues } from './format-report.ts';

const NUMBER = 'is not a number with a decimal point, so the field is left out';

function groupsOf(...issues: Partial<Issue>[]): string {
  const collected = collectIssues();
  for (const issue of issues) {
    collected.warning({
      kind: 'product',
      id: '1',
      language: 'de-de',
      field: 'x',
      problem: NUMBER,
      advice: 'Do.',
      ...issue,
    });
  }
  return formatIssues(collected.list().warnings);
}

it('shows a record with many invalid fields once', () => {
  const fields = ['length', 'width', 'height', 'weight'];
  expect(groupsOf(...fields.map((field) => ({ field, wire: '' })))).toBe(
    `  1 product record: length, width, height, weight ${NUMBER}\n    1 de-de: ""\n    -> Do.`,
  );
});

it('shows each value where fields have different ones, and each problem', () => {
  expect(
    groupsOf(
      { field: 'length', wire: 'lang' },
      { field: 'width', wire: '' },
      { field: 'attributes', problem: 'is not an array', wire: 'siehe Blatt' },
    ),
  ).toBe(
    `  1 product record: length ${NUMBER}; width ${NUMBER}; attributes is not an array\n    1 de-de: length "lang", width "", attributes "siehe Blatt"\n    -> Do.`,
  );
});

it('keeps groups apart that are about different records', () => {
  const text = groupsOf(
    { field: 'length', wire: '' },
    { field: 'width', wire: '' },
    { field: 'width', wire: '', id: '2' },
  );
  expect(text.match(/product records?:/g)).toHaveLength(2);
  expect(groupsOf({ field: 'length' }, { field: 'width', advice: 'Other.' }).match(/product record:/g)).toHaveLength(2);
});
