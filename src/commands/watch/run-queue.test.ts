import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRunQueue, type RunOutcome, type RunQueue, type RunQueueOptions, type RunReason } from './run-queue.ts';

const MINUTE = 60_000;

let runs: { at: number; reason: RunReason }[];
/** Outcomes of the next runs; good once exhausted. */
let outcomes: RunOutcome[];
let runMs: number;
let queue: RunQueue;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  runs = [];
  outcomes = [];
  runMs = 0;
});
afterEach(async () => {
  const closing = queue.close();
  await vi.runAllTimersAsync();
  await closing;
  vi.useRealTimers();
});

function create(options: Partial<RunQueueOptions> = {}): void {
  queue = createRunQueue({
    run: async (reason) => {
      runs.push({ at: Date.now(), reason });
      if (runMs > 0) await new Promise((resolve) => setTimeout(resolve, runMs));
      return outcomes.shift() ?? 'good';
    },
    intervalMs: 5 * MINUTE,
    random: () => 0.5,
    ...options,
  });
}

function start(options: Partial<RunQueueOptions> = {}): void {
  create(options);
  queue.start();
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const minutes = () => runs.map(({ at }) => Math.round(at / MINUTE));

it('runs at once, then on the interval', async () => {
  start();
  await pass(10 * MINUTE + 10);
  expect(runs.map(({ reason }) => reason)).toEqual(['start', 'interval', 'interval']);
  expect(minutes()).toEqual([0, 5, 10]);
});

it('runs nothing before it starts, and what was asked for until then in its first run', async () => {
  create();
  queue.request();
  await pass(MINUTE);
  expect([runs, queue.nextRunAt]).toEqual([[], undefined]);
  queue.start();
  await pass(4 * MINUTE);
  expect(runs).toEqual([{ at: MINUTE, reason: 'start' }]);
});

it('waits no less where the interval is longer than a timer can be', async () => {
  start({ intervalMs: 40 * 24 * 60 * MINUTE });
  await pass(24 * 24 * 60 * MINUTE);
  expect(runs).toHaveLength(1);
});

it.each([
  [0, 270_000],
  [1, 330_000],
])('moves the interval by a tenth at most: %d', async (random, at) => {
  start({ random: () => random });
  await pass(1);
  expect(queue.nextRunAt).toBe(at);
});

it('makes one run of what is asked for in quick succession', async () => {
  start();
  await pass(1000);
  for (let n = 0; n < 4; n += 1) {
    queue.request();
    await pass(300);
  }
  await pass(MINUTE);
  expect(runs).toEqual([
    { at: 0, reason: 'start' },
    { at: 2400, reason: 'webhook' },
  ]);
});

it('does not wait for quiet forever', async () => {
  start();
  await pass(1000);
  for (let n = 0; n < 30; n += 1) {
    queue.request();
    await pass(300);
  }
  expect(runs[1]).toEqual({ at: 6000, reason: 'webhook' });
});

it('never runs twice at once, and once more for whatever was asked for meanwhile', async () => {
  runMs = 30_000;
  start();
  await pass(1000);
  queue.request();
  await pass(5000);
  queue.request();
  queue.request();
  expect([queue.running, queue.nextRunAt]).toEqual([true, undefined]);
  await pass(4 * MINUTE);
  expect(runs.map(({ at }) => Math.round(at / 1000))).toEqual([0, 30]);
});

it('waits twice as long after each failure, up to an hour, and as ever after a good run', async () => {
  outcomes = ['failed', 'failed', 'failed', 'failed', 'failed'];
  start();
  await pass(201 * MINUTE);
  expect(minutes()).toEqual([0, 10, 30, 70, 130, 190, 195, 200]);
  expect(runs[1]?.reason).toBe('retry');
});

it('takes a webhook as a reason to try a failing run earlier', async () => {
  outcomes = ['failed', 'failed'];
  start();
  await pass(20 * MINUTE);
  expect(queue.failures).toBe(2);
  queue.request();
  await pass(1000);
  expect([minutes(), queue.failures]).toEqual([[0, 10, 20], 0]);
});

it('comes back soon when somebody else was at it, and does not count that', async () => {
  outcomes = ['busy', 'busy'];
  start();
  await pass(MINUTE);
  expect(runs.map(({ at }) => at)).toEqual([0, 10_000, 20_000]);
  expect(queue.failures).toBe(0);
});

it('starts nothing once it is closed, and waits for what is going', async () => {
  runMs = 1000;
  start();
  await pass(1);
  let closed = false;
  void queue.close().then(() => (closed = true));
  queue.request();
  await pass(500);
  expect(closed).toBe(false);
  await pass(60 * MINUTE);
  expect([closed, runs.length]).toEqual([true, 1]);
});
