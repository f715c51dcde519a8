import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { runThreads, batchSource } from './worker-pool.ts';

/** Answers each order with itself. */
const ECHO = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (orders) => parentPort.postMessage(orders));
parentPort.postMessage([]);`;

it('ends with what was thrown at an answer, and lets the other threads come to their end', async () => {
  const settled: number[] = [];
  const work = runThreads<number, number>({
    size: 2,
    start: () => new Worker(ECHO, { eval: true }),
    take: batchSource([1, 2, 3, 4, 5], 1),
    onResult: (answer) => {
      if (answer === 2) throw new Error('There is no place for 2.');
      settled.push(answer);
    },
  });
  await expect(work).rejects.toThrow('There is no place for 2.');
  expect(settled.toSorted()).toEqual([1, 3, 4, 5]);
});
