import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import type { Measured } from './measure.ts';

const EXAMPLES = 'scripts/cost/examples.ts';

let measured: Measured;

// It changes what is built into the engine, so it has a process of its own.
beforeAll(async () => {
  const program = path.join(import.meta.dirname, 'measure.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 2 ** 24 });
  measured = JSON.parse(stdout) as Measured;
}, 600_000);

test('functions that take too many steps are told from those that do not', () => {
  const told = measured.slow.filter((line) => line.startsWith(EXAMPLES)).map((line) => line.split(' ')[1]);
  expect(told).toEqual(['searchesTheRest', 'copiesTheList', 'looksFromEachSign', 'neverEnds']);
});

test('no function that reads a text takes more than n log n steps, whoever wrote it', () => {
  expect(measured.slow.filter((line) => !line.startsWith(EXAMPLES))).toEqual([]);
  expect(measured.functions).toBeGreaterThan(250);
});

test('every exported function that reads a text, bytes or a value of any shape is measured, or is left out for a reason', () => {
  expect(measured.unlisted).toEqual([]);
  expect(measured.gone).toEqual([]);
  expect(measured.idle).toEqual([]);
});
