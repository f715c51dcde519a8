import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { childCpuSeconds, processCpuSeconds } from './read-proc.ts';
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
  /** Processor time of the reading process, its start included, and of the origin meanwhile. */
  cpuSeconds: number | undefined;
  originCpuSeconds: number | undefined;
  /** Another checkout, side by side. */
  who: 'this' | 'before';
}

export interface SyncBenchOptions {
  sizes: readonly number[];
  /** Folder of another checkout, with its packages, whose origin and sync are measured beside these. */
  before?: string | undefined;
}

const HERE = path.resolve(import.meta.dirname, '../..');

/** A rate needs no more than so many records, and a whole catalogue one by one would take its time. */
const MAX_NAIVE_RECORDS = 2000;
/** Record by record, more would take many minutes and say the same. */
const MAX_SINGLE_RECORDS = 10_000;

/**
 * Reads so many records from our origin on loopback: one by one, with a pool, and by this sync, from a server with
 * the list and the export and from one without; then again when nothing has changed. Origin and reader are processes
 * of their own.
 */
export async function* benchSync({ sizes, before }: SyncBenchOptions): AsyncGenerator<SyncBenchRow> {
  for (const records of sizes) {
    for (const additions of records > MAX_SINGLE_RECORDS ? [true] : [false, true]) {
      yield* measure('this', HERE, records, additions);
      if (before !== undefined) yield* measure('before', before, records, additions);
    }
  }
}

async function* measure(
  who: SyncBenchRow['who'],
  checkout: string,
  records: number,
  additions: boolean,
): AsyncGenerator<SyncBenchRow> {
  const origin = await startRecords(checkout, records, additions);
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-bench-sync-'));
  try {
    const read = async (way: ReadTask['way'], run: SyncBenchRow['run'], count = records) => {
      const list = path.join(folder, `list-${count}.csv`);
      writeFileSync(list, `gtin\n${origin.gtins.slice(0, count).join('\n')}\n`);
      const { url, token } = origin;
      const [cpuBefore, originBefore] = [childCpuSeconds(), processCpuSeconds(origin.pid)];
      const task = { way, folder, list, url, token };
      const { seconds, requests, bytes, megabytes } = await runChild<ReadResult>(checkout, 'read-records.ts', task);
      return {
        records: count,
        way: way === 'sync' ? `sync, ${additions ? 'with list and export' : 'record by record'}` : way,
        run,
        seconds,
        requests,
        bytes,
        megabytes,
        recordsPerSecond: count / seconds,
        cpuSeconds: difference(cpuBefore, childCpuSeconds()),
        originCpuSeconds: difference(originBefore, processCpuSeconds(origin.pid)),
        who,
      };
    };
    if (!additions && who === 'this') {
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

function difference(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}

async function startRecords(checkout: string, count: number, additions: boolean) {
  const child = spawnScript(checkout, 'serve-records.ts', { count, additions }, 'pipe');
  const ended = once(child, 'close');
  const line = await firstLine(child);
  const ready = JSON.parse(line) as { url: string; token: string; gtins: string[] };
  const close = async () => {
    child.stdin?.end();
    await ended;
  };
  return { ...ready, pid: child.pid ?? 0, close };
}

async function runChild<T>(checkout: string, script: string, task: object): Promise<T> {
  const child = spawnScript(checkout, script, task, 'ignore');
  const ended = once(child, 'close');
  const line = await firstLine(child);
  await ended;
  return JSON.parse(line) as T;
}

function spawnScript(checkout: string, script: string, task: object, stdin: 'pipe' | 'ignore') {
  const file = path.join(checkout, 'scripts/bench', script);
  const flags = flagsOf(checkout, script === 'serve-records.ts' ? 'origin' : 'sync');
  return spawn(process.execPath, [...flags, file, JSON.stringify(task)], {
    cwd: checkout,
    stdio: [stdin, 'pipe', 'inherit'],
  });
}

/** Node's flags of an npm script, such as limits of memory. */
function flagsOf(checkout: string, name: string): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return (scripts[name] ?? '').split(' ').filter((word) => word.startsWith('--'));
}

async function firstLine(child: ReturnType<typeof spawnScript>): Promise<string> {
  if (!child.stdout) throw new Error('The process has no output.');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('A measured process ended early; see its output above.');
}
