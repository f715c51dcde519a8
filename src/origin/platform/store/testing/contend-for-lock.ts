import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { isSortimentError } from '#contracts/index.ts';
import { takeLock } from '../take-lock.ts';

// Says `ready`, is told the moment to start, tries to take each of the given locks at the same moments as its
// rivals, says which it won, and holds them until stdin ends.

const ROUND_MS = 60;

process.stdout.write('ready');
const [startAt] = await once(process.stdin, 'data');
const won: string[] = [];
for (const [round, path] of process.argv.slice(2).entries()) {
  const moment = Number(startAt) + round * ROUND_MS;
  await setTimeout(Math.max(0, moment - Date.now() - 5));
  while (Date.now() < moment);
  try {
    takeLock(path, () => undefined);
    won.push(path);
  } catch (error) {
    if (!isSortimentError(error) || error.code !== 'STORE_LOCKED') throw error;
  }
}
process.stdout.write(JSON.stringify(won));
process.stdin.resume().once('end', () => process.exit());
