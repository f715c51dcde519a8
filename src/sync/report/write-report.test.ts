import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineConfig, resolveSettings, type Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { createChange, createReport, HOSTILE_REPORT } from './testing/fixtures.ts';
import { copyReport, reportFolder, writeReport } from './write-report.ts';
import type { RunResult } from './report-sections.ts';

const failure = (error: unknown): RunResult => ({
  error,
  startedAt: new Date('2026-11-21T11:00:00.000Z'),
  finishedAt: new Date('2026-11-21T11:00:02.500Z'),
});

let settings: Settings;
let warnings: string[];
beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-report-'));
  const options = defineConfig({
    site: { name: 'Halden & Werk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
  });
  settings = resolveSettings(folder, options, {});
  warnings = [];
  return () => rmSync(folder, { recursive: true });
});

const write = (outcome: RunResult): Promise<string | undefined> =>
  writeReport(settings, outcome, { logger: { warn: (message) => void warnings.push(message) } });
const read = (file: string): string => readFileSync(path.join(reportFolder(settings), file), 'utf8');
const pipes = (line: string): number => line.match(/(?<!\\)\|/g)?.length ?? 0;
const history = () => JSON.parse(read('history.json')) as Record<string, unknown>[];

describe('the reports of a run', () => {
  it('are four whole files', async () => {
    await write({ report: createReport() });
    expect(readdirSync(reportFolder(settings)).toSorted()).toEqual([
      'history.json',
      'index.html',
      'report.json',
      'report.md',
    ]);
    expect(JSON.parse(read('report.json'))).toMatchObject({
      outcome: 'changed',
      site: 'Halden & Werk',
      runId: 'run_1',
      changes: [{ id: '9524010000016', fields: [{ field: 'price', before: 142.5, after: 149.9 }] }],
      drift: [],
    });
    expect(warnings).toEqual([]);
  });

  it('escape names in the page, and list alarms before all else', async () => {
    await write({ report: HOSTILE_REPORT });
    const page = read('index.html');
    expect(page).not.toMatch(/<script|<img|<a /);
    const titles = [...page.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title]) => title);
    expect(titles).toEqual([
      'Alarms',
      'Sources',
      'Changes by kind',
      'Added',
      'Changed',
      'Removed',
      'Removals awaiting confirmation',
      'Not readable',
      'Invalid',
      'Interface drift',
      'Warnings',
      'Files, hooks and traffic',
      'Recent runs',
    ]);
  });

  it('have a page that its own policy lets show', async () => {
    await write({ report: createReport() });
    const page = read('index.html');
    const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(`style-src &#39;sha256-${digest}&#39;`);
    expect(page).not.toMatch(/\sstyle="|(?:src|href)="/);
  });

  it('have no cell of Markdown ended or begun by a name', async () => {
    await write({ report: HOSTILE_REPORT });
    const text = read('report.md');
    const lines = text.split('\n');
    for (const [i, line] of lines.entries()) {
      if (!line.startsWith('|')) continue;
      const above = lines[i - 1] ?? '';
      if (above.startsWith('|')) expect(pipes(line), line).toBe(pipes(above));
    }
    expect(text).not.toMatch(/<script|<img|(?<!\\)\*\*b|(?<!\\)\[l/);
    expect(text.match(/^# /gm)).toHaveLength(1);
    expect(text).toMatch(/^> The declaration of performance/m);
  });

  it('count what there is too much of', async () => {
    const changes = Array.from({ length: 1000 }, () => createChange());
    await write({ report: createReport({ changes }) });
    expect(read('report.md')).toContain('… and 700 more; report.json lists them.');
    expect(JSON.parse(read('report.json')).changes).toHaveLength(1000);
  });
});

describe('the reports of a run that failed', () => {
  it('say why and what to do', async () => {
    await write(failure(new SortimentError('REMOVALS_REFUSED', 'Too many:\n  9 of 10', { hint: 'Check it.' })));
    expect(JSON.parse(read('report.json'))).toMatchObject({
      outcome: 'failed',
      error: { code: 'REMOVALS_REFUSED', hint: 'Check it.' },
      durationMs: 2500,
    });
    for (const file of ['report.md', 'index.html']) {
      expect(read(file)).toMatch(/failed[^]*REMOVALS(\\?)_REFUSED[^]*9 of 10[^]*Check it\./);
    }
  });

  it('quote nothing of an error that is not ours', async () => {
    await write(failure(Object.assign(new Error('Token 5ec7e7'), { request: 'Token 5ec7e7' })));
    for (const file of ['report.json', 'report.md', 'index.html', 'history.json']) {
      expect(read(file)).toContain('UNEXPECTED');
      expect(read(file)).not.toContain('5ec7e7');
    }
  });
});

describe('the history', () => {
  it('has every run, the failed ones with their code, and no more than 60', async () => {
    for (let i = 0; i < 3; i += 1) await write({ report: createReport() });
    await write(failure(new SortimentError('UPSTREAM_UNAVAILABLE', 'Away.')));
    expect(history()).toHaveLength(4);
    expect(history().at(-1)).toMatchObject({ outcome: 'failed', code: 'UPSTREAM_UNAVAILABLE', durationMs: 2500 });
    expect(read('index.html').match(/class="cross"/g)).toHaveLength(1);

    const [first] = history();
    const many = Array.from({ length: 90 }, (_, requests) => ({ ...first, requests }));
    writeFileSync(path.join(reportFolder(settings), 'history.json'), JSON.stringify(many));
    await write({ report: createReport() });
    expect(history()).toHaveLength(60);
    expect(history()[0]).toMatchObject({ requests: 31 });
  });

  it.each(['{"a":', '{}', '[{"startedAt":"yesterday"},7]', ''])('survives a damaged file: %s', async (text) => {
    mkdirSync(reportFolder(settings), { recursive: true });
    writeFileSync(path.join(reportFolder(settings), 'history.json'), text);
    await write({ report: createReport() });
    expect(history()).toHaveLength(1);
    expect(warnings).toEqual([]);
  });
});

it('a report that cannot be written is a warning', async () => {
  mkdirSync(settings.home, { recursive: true });
  writeFileSync(reportFolder(settings), 'in the way');
  await write({ report: createReport() });
  expect(warnings).toEqual([expect.stringContaining('The report could not be written')]);
});

it('the reports can be had elsewhere, and only there can that fail', async () => {
  const logger = { warn: (message: string) => void warnings.push(message) };
  const folder = path.join(settings.root, 'kept', 'report');
  await copyReport(settings, folder, { logger });
  await write({ report: createReport() });
  await copyReport(settings, folder, { logger });
  expect(readdirSync(folder)).toHaveLength(4);
  await copyReport(settings, path.join(folder, 'report.md'), { logger });
  expect(warnings).toEqual([expect.stringContaining('could not be copied')]);
});
