import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { isSortimentError } from '#contracts/index.ts';
import { acquireLock } from '../acquire-lock.ts';

// Prints `ready`, reads the start time from stdin, and tries to acquire each given lock at the same time as its
// rivals. Prints the acquired ones and holds them until stdin ends.

const ROUND_MS = 60;

process.stdout.write('ready');
const [startAt] = await once(process.stdin, 'data');
const won: string[] = [];
for (const [round, path] of process.argv.slice(2).entries()) {
  const roundStart = Number(startAt) + round * ROUND_MS;
  await setTimeout(Math.max(0, roundStart - Date.now() - 5));
  while (Date.now() < roundStart);
  try {
    acquireLock(path, () => undefined);
    won.push(path);
  } catch (error) {
    if (!isSortimentError(error) || error.code !== 'STORE_LOCKED') throw error;
  }
}
process.stdout.write(JSON.stringify(won));
process.stdin.resume().once('end', () => process.exit());
