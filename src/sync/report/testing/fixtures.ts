import type { Alarm, Change, IssueGroup, SyncReport } from '../sync-report.ts';

/** Valid parts of reports for tests, with overrides. */

export function createChange(changes: Partial<Change> = {}): Change {
  return {
    kind: 'product',
    id: '9524010000016',
    language: 'de-de',
    name: 'DIFFRANA Vario 75',
    change: 'changed',
    fields: [{ field: 'price', before: 142.5, after: 149.9 }],
    ...changes,
  };
}

export function createGroup(changes: Partial<IssueGroup> = {}): IssueGroup {
  return {
    kind: 'product',
    field: '',
    problem: 'is not a string',
    advice: undefined,
    count: 1,
    sample: { id: '9524010000016', language: 'de-de', wire: undefined },
    examples: ['9524010000016 de-de'],
    records: ['9524010000016 de-de'],
    ...changes,
  };
}

export function createAlarm(changes: Partial<Alarm> = {}): Alarm {
  return {
    kind: 'declaration-changed',
    url: 'https://media.example/dop.pdf',
    gtins: ['9524010000016'],
    before: 'a'.repeat(64),
    after: 'b'.repeat(64),
    ...changes,
  };
}

export function createReport(changes: Partial<SyncReport> = {}): SyncReport {
  return {
    runId: 'run_1',
    startedAt: '2026-11-21T10:00:00.000Z',
    changed: true,
    digest: 'ab'.repeat(32),
    previousDigest: undefined,
    counts: { product: { 'de-de': { added: 0, changed: 1, removed: 0 } } },
    changes: [createChange()],
    problems: [],
    warnings: [],
    unreachable: [],
    invalidRecords: { count: 0, withLastGood: 0 },
    unreachableRecords: { count: 0, withLastGood: 0 },
    awaitedRemovals: [],
    alarms: [],
    sources: [],
    resumed: 0,
    uncompared: { count: 0, asOf: undefined },
    unasked: 0,
    assets: { referenced: 3, fetched: 1, unchanged: 2, failed: 0, notAllowed: 0, bytes: 10 },
    hooks: [],
    requests: 12,
    bytes: 34_500,
    durationMs: 1234,
    ...changes,
  };
}

/** HTML and Markdown that has to be escaped. */
export const HOSTILE = `</td><script>alert(1)</script><img src=x onerror="a()"> | \`x\` **b** [l](javascript:x)\n# h`;

/** A report with all sections, whose names and texts are hostile. */
export const HOSTILE_REPORT = createReport({
  alarms: [createAlarm({ url: `https://media.example/${HOSTILE}` })],
  changes: [
    createChange({ name: HOSTILE, fields: [{ field: HOSTILE, before: HOSTILE, after: undefined }] }),
    createChange({ change: 'added', name: HOSTILE, fields: [] }),
    createChange({ change: 'removed', kind: 'post', id: '7', language: undefined, name: HOSTILE, fields: [] }),
    createChange({ fields: [] }),
  ],
  problems: [createGroup({ field: 'weight', sample: { id: '1', language: 'de-de', wire: '{"value":1}' } })],
  warnings: [createGroup({ field: HOSTILE }), createGroup({ kind: 'asset', problem: HOSTILE, count: 9 })],
  unreachable: [createGroup({ problem: HOSTILE })],
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
  sources: [{ name: 'publishing', outcome: 'last-good', asOf: undefined, problem: HOSTILE }],
  hooks: [{ hook: HOSTILE, outcome: 'dead' }],
});
