import { describe, expect, it } from 'vitest';
import { collectIssues } from './collect-issues.ts';
import { formatReport } from './format-report.ts';
import { createAlarm, createChange, createGroup, createReport } from './testing/fixtures.ts';

describe('formatReport', () => {
  it('has one line a change and a summary as the last', () => {
    expect(formatReport(createReport({ hooks: [{ hook: 'site', outcome: 'delivered' }] }))).toBe(
      `changed 9524010000016 de-de DIFFRANA Vario 75: price 142.5 -> 149.9
Changed: 0 added, 1 changed, 0 removed; 1 of 3 files fetched; hook site delivered; 12 requests and 34.5 kB in 1.2 s; digest abababababab.`,
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
    [createChange({ fields: [] }), 'changed 9524010000016 de-de DIFFRANA Vario 75: refreshed, no field changes'],
  ])('words a change', (change, line) => {
    expect(formatReport(createReport({ changes: [change] })).split('\n')[0]).toBe(line);
  });

  it('counts what there is too much of', () => {
    const changes = Array.from({ length: 72 }, (_, i) =>
      createChange({ change: 'added', language: i % 2 ? 'de-de' : 'en-gb' }),
    );
    expect(formatReport(createReport({ changes })).split('\n').slice(0, 2)).toEqual([
      'added 36 product records in en-gb',
      'added 36 product records in de-de',
    ]);
  });

  it('shows problems and warnings in groups, each with its first records, their own values and what to do', () => {
    const issues = collectIssues();
    for (const id of ['1', '2', '3', '4']) {
      issues.problem({
        kind: 'product',
        id,
        language: 'de-de',
        field: `attributes[${id}].value`,
        problem: `is not a string, but the number ${id}`,
        advice: 'Correct it.',
        wire: Number(id),
        hasLastGood: id === '1',
      });
    }
    issues.warning({ kind: 'asset', id: 'https://a.example/b.pdf', field: '', problem: 'answered 404 Not Found' });
    const { problems, warnings, invalidRecords } = issues.list();
    const reportFile = '/site/.sortiment/report/index.html';
    const text = formatReport(
      createReport({ changed: false, changes: [], problems, warnings, invalidRecords, reportFile }),
    );
    expect(text).toBe(`Invalid: 4 records; 1 keeps its last good version, 3 are not on the site:
  4 product records: attributes[].value is not a string, but the number …
    1 de-de: 1
    2 de-de: 2
    3 de-de: 3
    … and 1 more
    -> Correct it.
Warnings:
  1 file: answered 404 Not Found
    https://a.example/b.pdf
Full report: /site/.sortiment/report/index.html
Unchanged: nothing changed; 1 of 3 files fetched; 4 records invalid; 1 warning; 12 requests and 34.5 kB in 1.2 s; digest abababababab.`);
  });

  it('has what somebody must look at first, and what a run went without', () => {
    const report = createReport({
      alarms: [createAlarm()],
      awaitedRemovals: [
        {
          gtin: '9524010000023',
          language: 'de-de',
          since: '2026-11-20T10:00:00.000Z',
          runs: 2,
          runsLeft: 1,
          notBefore: '2026-11-21T10:00:00.000Z',
        },
      ],
      sources: [
        { name: 'product', outcome: 'read', asOf: '2026-11-21T10:00:00.000Z', problem: undefined },
        { name: 'publishing', outcome: 'last-good', asOf: '2026-11-20T10:00:00.000Z', problem: '503' },
      ],
      unreachable: [createGroup({ problem: 'timed out', count: 2 })],
      unreachableRecords: { count: 2, withLastGood: 2 },
      resumed: 4,
      unasked: 7,
    });
    expect(formatReport(report).split('\n')).toEqual([
      'ALARM: The declaration of performance https://media.example/dop.pdf of 9524010000016 has changed at its source (aaaaaaaaaaaa -> bbbbbbbbbbbb). It must stay as published, so the published version stays. Ask its manufacturer.',
      'changed 9524010000016 de-de DIFFRANA Vario 75: price 142.5 -> 149.9',
      'Removals awaiting confirmation:',
      '  9524010000023 de-de: missing since 2026-11-20T10:00:00.000Z, in 2 syncs in a row; it will be removed if it is still missing at the next sync after 2026-11-21T10:00:00.000Z',
      'The publishing source could not be read (last good content); its content of 2026-11-20T10:00:00.000Z stays: 503',
      'Not readable: 2 records; their last good versions stay:',
      '  2 product records: timed out',
      '    9524010000016 de-de',
      '    … and 1 more',
      'Changed: 1 alarm; 0 added, 1 changed, 0 removed; 1 awaited removal; 1 of 3 files fetched; 2 records not readable; 4 continued from an interrupted sync; 7 left for the next sync; 12 requests and 34.5 kB in 1.2 s; digest abababababab.',
    ]);
  });

  it('tells drift of the interface from other warnings', () => {
    const warnings = [
      createGroup({ field: 'colour', problem: 'is not a field of the interface' }),
      createGroup({ kind: 'asset', field: '', problem: 'answered 404' }),
    ];
    const lines = formatReport(createReport({ changes: [], warnings })).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'New fields of the product interface (not shown on the site):',
      '  1 product record: colour is not a field of the interface',
      '    9524010000016 de-de',
      'Warnings:',
    ]);
  });

  it('lets no name control the terminal', () => {
    const changes = [createChange({ change: 'removed', name: 'A\u001B[31m\u202EB\r' })];
    expect(formatReport(createReport({ changes })).split('\n')[0]).toBe('removed 9524010000016 de-de A[31mB');
  });
});
