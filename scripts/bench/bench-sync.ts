import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ReadResult, ReadTask } from './read-records.ts';

export interface SyncBenchRow {
  records: number;
  way: string;
  run: 'first' | 'no change';
  /** Wall clock. */
  seconds: number;
  recordsPerSecond: number;
  requests: number;
  /** Bodies as received. */
  bytes: number;
  /** Peak of the reading process. */
  megabytes: number;
}

/** A rate needs no more than so many records, and a whole catalogue one by one would take its time. */
const MAX_NAIVE_RECORDS = 2000;
/** Record by record, more would take many minutes and say the same. */
const MAX_SINGLE_RECORDS = 10_000;

/**
 * Reads so many records from our origin on loopback: one by one, with a pool, and by this sync, from a server with
 * the list and the export and from one without; then again when nothing has changed. Origin and reader are processes
 * of their own.
 */
export async function* benchSync(sizes: readonly number[]): AsyncGenerator<SyncBenchRow> {
  for (const records of sizes) {
    for (const additions of records > MAX_SINGLE_RECORDS ? [true] : [false, true]) {
      const origin = await startRecords(records, additions);
      const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-bench-sync-'));
      try {
        const read = async (way: ReadTask['way'], run: SyncBenchRow['run'], count = records) => {
          const list = path.join(folder, `list-${count}.csv`);
          writeFileSync(list, `gtin\n${origin.gtins.slice(0, count).join('\n')}\n`);
          const { url, token } = origin;
          const result = await runChild<ReadResult>('read-records.ts', { way, folder, list, url, token });
          const name = way === 'sync' ? `sync, ${additions ? 'with list and export' : 'record by record'}` : way;
          return { records: count, way: name, run, ...result, recordsPerSecond: count / result.seconds };
        };
        if (!additions) {
          for (const way of ['one by one', 'pool of 8'] as const) {
            yield await read(way, 'first', Math.min(records, MAX_NAIVE_RECORDS));
          }
        }
        for (const run of ['first', 'no change'] as const) yield await read('sync', run);
      } finally {
        await origin.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }
  }
}

async function startRecords(count: number, additions: boolean) {
  const child = spawnScript('serve-records.ts', { count, additions }, 'pipe');
  const ended = once(child, 'close');
  const line = await firstLine(child);
  const ready = JSON.parse(line) as { url: string; token: string; gtins: string[] };
  const close = async () => {
    child.stdin?.end();
    await ended;
  };
  return { ...ready, close };
}

async function runChild<T>(script: string, task: object): Promise<T> {
  const child = spawnScript(script, task, 'ignore');
  const ended = once(child, 'close');
  const line = await firstLine(child);
  await ended;
  return JSON.parse(line) as T;
}

function spawnScript(script: string, task: object, stdin: 'pipe' | 'ignore') {
  const file = path.join(import.meta.dirname, script);
  // As `npm run sync` and `npm run origin` start.
  const flags = ['--max-semi-space-size=8'];
  return spawn(process.execPath, [...flags, file, JSON.stringify(task)], { stdio: [stdin, 'pipe', 'inherit'] });
}

async function firstLine(child: ReturnType<typeof spawnScript>): Promise<string> {
  if (!child.stdout) throw new Error('The process has no output.');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('A measured process ended early; see its output above.');
}
