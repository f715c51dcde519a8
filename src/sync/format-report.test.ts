import { describe, expect, it } from 'vitest';
import { collectIssues } from './collect-issues.ts';
import { formatReport } from './format-report.ts';
import type { Change, SyncReport } from './sync-report.ts';

const createChange = (changes: Partial<Change> = {}): Change => ({
  kind: 'product',
  id: '9524010000016',
  language: 'de-de',
  name: 'DIFFRANA Vario 75',
  change: 'changed',
  fields: [{ field: 'price', before: 142.5, after: 149.9 }],
  ...changes,
});

const createReport = (changes: Partial<SyncReport> = {}): SyncReport => ({
  runId: 'run_1',
  startedAt: '2026-11-21T10:00:00.000Z',
  changed: true,
  digest: 'ab'.repeat(32),
  previousDigest: undefined,
  counts: { product: { 'de-de': { added: 0, changed: 1, removed: 0 } } },
  changes: [createChange()],
  problems: [],
  warnings: [],
  assets: { referenced: 3, fetched: 1, unchanged: 2, failed: 0, notAllowed: 0, bytes: 10 },
  hooks: [],
  requests: 12,
  durationMs: 1234,
  ...changes,
});

describe('formatReport', () => {
  it('has one line a change and a summary as the last', () => {
    expect(formatReport(createReport({ hooks: [{ hook: 'site', outcome: 'delivered' }] }))).toBe(
      `changed 9524010000016 de-de DIFFRANA Vario 75: price 142.5 -> 149.9
Changed: 0 added, 1 changed, 0 removed; 1 of 3 assets fetched; hook site delivered; 12 requests in 1.2 s; digest abababababab.`,
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
Unchanged: nothing changed; 1 of 3 assets fetched; 3 problems; 1 warning; 12 requests in 1.2 s; digest abababababab.`);
  });
});
