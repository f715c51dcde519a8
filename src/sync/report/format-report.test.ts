import { describe, expect, it } from 'vitest';
import { collectIssues } from './collect-issues.ts';
import { formatReport } from './format-report.ts';
import { createAlarm, createChange, createGroup, createReport } from './fixtures.ts';

describe('formatReport', () => {
  it('has one line a change and a summary as the last', () => {
    expect(formatReport(createReport({ hooks: [{ hook: 'site', outcome: 'delivered' }] }))).toBe(
      `changed 9524010000016 de-de DIFFRANA Vario 75: price 142.5 -> 149.9
Changed: 0 added, 1 changed, 0 removed; 1 of 3 assets fetched; hook site delivered; 12 requests and 34.5 kB in 1.2 s; digest abababababab.`,
    );
  });

  it.each([
    [createChange({ change: 'removed', fields: [] }), 'removed 9524010000016 de-de DIFFRANA Vario 75'],
    [
      createChange({
        kind: 'post',
        id: '7',
        language: undefined,
        name: 'Luft – dicht',
        fields: [{ field: 'slug', before: 'a b', after: '' }],
      }),
      'changed post 7 Luft – dicht: slug "a b" -> nothing',
    ],
    [createChange({ fields: [] }), 'changed 9524010000016 de-de DIFFRANA Vario 75: read anew'],
  ])('words a change', (change, line) => {
    expect(formatReport(createReport({ changes: [change] })).split('\n')[0]).toBe(line);
  });

  it('counts what there is too much of', () => {
    const changes = Array.from({ length: 72 }, (_, i) =>
      createChange({ change: 'added', language: i % 2 ? 'de-de' : 'en-gb' }),
    );
    expect(formatReport(createReport({ changes })).split('\n').slice(0, 2)).toEqual([
      'added 36 × product en-gb',
      'added 36 × product de-de',
    ]);
  });

  it('shows problems and warnings in groups, each with one sample', () => {
    const issues = collectIssues();
    for (const id of ['1', '2', '3']) {
      issues.problem({
        kind: 'product',
        id,
        language: 'de-de',
        field: `attributes[${id}].value`,
        problem: 'is not a string',
        wire: 7,
      });
    }
    issues.warning({ kind: 'asset', id: 'https://a.example/b.pdf', field: '', problem: 'answered 404 Not Found' });
    const text = formatReport(
      createReport({ changed: false, changes: [], problems: issues.problems, warnings: issues.warnings }),
    );
    expect(text).toBe(`Problems (the last good records stay):
  3 × product: attributes[].value is not a string; first 1 de-de, 7
Warnings:
  asset https://a.example/b.pdf: answered 404 Not Found
Unchanged: nothing changed; 1 of 3 assets fetched; 3 problems; 1 warning; 12 requests and 34.5 kB in 1.2 s; digest abababababab.`);
  });

  it('has what somebody must look at first, and what a run went without', () => {
    const report = createReport({
      alarms: [createAlarm()],
      awaitedRemovals: [{ gtin: '9524010000023', language: 'de-de', since: '2026-11-20T10:00:00.000Z', runs: 2 }],
      sources: [
        { name: 'product', outcome: 'read', asOf: '2026-11-21T10:00:00.000Z', problem: undefined },
        { name: 'publishing', outcome: 'last-good', asOf: '2026-11-20T10:00:00.000Z', problem: '503' },
      ],
      unreachable: [createGroup({ problem: 'timed out', count: 2 })],
      resumed: 4,
      unasked: 7,
    });
    expect(formatReport(report).split('\n')).toEqual([
      'ALARM: The declaration of performance https://media.example/dop.pdf of 9524010000016 has other bytes (aaaaaaaaaaaa -> bbbbbbbbbbbb). It must stay as it was published: ask its maker.',
      'changed 9524010000016 de-de DIFFRANA Vario 75: price 142.5 -> 149.9',
      'Awaited removals:',
      '  9524010000023 de-de: not known since 2026-11-20T10:00:00.000Z, 2 runs in a row',
      'source publishing last-good: stays as of 2026-11-20T10:00:00.000Z (503)',
      'Unreachable (the last good records stay):',
      '  2 × product: timed out; first 9524010000016 de-de',
      'Changed: 1 alarm; 0 added, 1 changed, 0 removed; 1 awaited removal; 1 of 3 assets fetched; 2 unreachable; 4 resumed; 7 left for the next run; 12 requests and 34.5 kB in 1.2 s; digest abababababab.',
    ]);
  });

  it('tells drift of the interface from other warnings', () => {
    const warnings = [
      createGroup({ field: 'colour', problem: 'is not a field of the interface' }),
      createGroup({ kind: 'asset', field: '', problem: 'answered 404' }),
    ];
    const lines = formatReport(createReport({ changes: [], warnings })).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'New fields of the interface (not shown on the site):',
      '  product 9524010000016 de-de: colour is not a field of the interface',
      'Warnings:',
      '  asset 9524010000016 de-de: answered 404',
    ]);
  });

  it('lets no name control the terminal', () => {
    const changes = [createChange({ change: 'removed', name: 'A\u001B[31m\u202EB\r' })];
    expect(formatReport(createReport({ changes })).split('\n')[0]).toBe('removed 9524010000016 de-de A[31mB');
  });
});
