import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { prepareRegeneration } from './fixtures/regeneration.ts';
import { spawnOrigin, type SpawnedOrigin } from './fixtures/spawn-origin.ts';

const IS_SOAK = process.env['SORTIMENT_SOAK'] !== undefined;
const PICTURES = 500;
const CLIENTS = 20;
/** Delay between the requests of a client, in ms. */
const PAUSE_MS = 100;
/** Duration of the baseline without other load, in ms. */
const QUIET_MS = 20_000;
const MOST_DELAY_MS = 200;

const PASSWORD = '0123456789abcdef01234567';
const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

const folder = temporaryFolder();
const dataFolder = join(folder, 'origin');
const bootstrap = join(folder, 'bootstrap.json');
const admin = {
  login: 'admin',
  email: 'a@test.example',
  name: 'A',
  role: 'administrator',
  applicationPassword: PASSWORD,
};
writeFileSync(bootstrap, JSON.stringify({ site: { name: 'Test', description: '', timezone: 'UTC' }, users: [admin] }));

let running: SpawnedOrigin | undefined;
afterAll(() => running?.kill());

async function startOrigin(): Promise<SpawnedOrigin> {
  running = await spawnOrigin(dataFolder, { BOOTSTRAP: bootstrap });
  return running;
}

/** Starts clients that read until stopped; returns the duration of each request in ms. */
function startReaders(url: string): { stop(): Promise<number[]> } {
  const times: number[] = [];
  const reading = new AbortController();
  const paths = ['core/v2/media?per_page=10', 'core/v2/posts', '', 'core/v2/categories'];
  const client = async (n: number) => {
    await sleep((PAUSE_MS * n) / CLIENTS);
    for (let i = n; !reading.signal.aborted; i++) {
      const begun = performance.now();
      const response = await fetch(`${url}/rest/${paths[i % paths.length]}`);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`A reader was answered with ${response.status}.`);
      times.push(performance.now() - begun);
      await sleep(PAUSE_MS);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
  return {
    stop: async () => {
      reading.abort();
      await clients;
      return times;
    },
  };
}

const at = (times: readonly number[], share: number) =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0);
const describeTimes = (times: readonly number[]) =>
  `${times.length} requests, median ${at(times, 0.5)} ms, 99 % ${at(times, 0.99)} ms, longest ${at(times, 1)} ms`;

// Only in a soak: read latency needs an idle machine. kill-origin.test.ts always covers the files after a killed
// server.
it.runIf(IS_SOAK)(
  'many pictures are regenerated while others read, who wait hardly longer, though the server is killed in between',
  { timeout: 1_800_000 },
  async () => {
    const first = await startOrigin();
    const work = await prepareRegeneration(first.url, PICTURES, { dataFolder, authorization });
    const quiet = startReaders(first.url);
    await sleep(QUIET_MS);
    const quietTimes = await quiet.stop();

    const job = await work.begin(first.url);
    const before = startReaders(first.url);
    const isHalf = async () => (await work.read(first.url, job)).done > PICTURES / 2;
    await expect.poll(isHalf, { interval: 200, timeout: 900_000 }).toBe(true);
    const busyTimes = await before.stop();
    expect(await work.read(first.url, job)).toMatchObject({ status: 'running' });
    await first.kill();

    const second = await startOrigin();
    const after = startReaders(second.url);
    const statusNow = async () => (await work.read(second.url, job)).status;
    await expect.poll(statusNow, { interval: 200, timeout: 900_000 }).toBe('done');
    busyTimes.push(...(await after.stop()));
    expect(await work.read(second.url, job)).toMatchObject({ done: PICTURES, failed: 0 });
    expect(work.files()).toEqual(work.expected);
    process.stderr.write(
      `    nothing else: ${describeTimes(quietTimes)}\n    regenerating: ${describeTimes(busyTimes)}\n`,
    );
    expect(at(busyTimes, 1) - at(quietTimes, 0.5)).toBeLessThan(MOST_DELAY_MS);
  },
);
