import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from './fixtures/temporary-folder.ts';
import { openStore } from './open-store.ts';

const KILLS = 10 * Number(process.env['SORTIMENT_SOAK'] ?? 1);
const MOST_ROWS = 40;
const LONGEST_PAUSE_MS = 5;

test(`${KILLS} writers are killed, and every acknowledged row is kept`, { timeout: KILLS * 60_000 }, async () => {
  const dataFolder = temporaryFolder();
  await openStore({ dataFolder }).then((store) => store.close());
  let acknowledged = 0;
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const run = await writeAndDie(dataFolder);
    // The writer may have been killed between the acknowledgement and telling of it.
    expect(run.kept.length).toBeGreaterThanOrEqual(acknowledged);
    expect(run.kept).toEqual(run.kept.map((_, i) => i));
    acknowledged = run.acknowledged;
  }
  process.stdout.write(`    ${acknowledged} rows acknowledged over ${KILLS} kills\n`);
  expect(acknowledged).toBeGreaterThan(0);
});

async function writeAndDie(dataFolder: string): Promise<{ kept: number[]; acknowledged: number }> {
  const program = new URL('fixtures/write-until-killed.ts', import.meta.url).pathname;
  const writer = spawn(process.execPath, [program, dataFolder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: writer.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  const kept = JSON.parse(first) as number[];
  let acknowledged = kept.length;
  const target = acknowledged + Math.ceil(Math.random() * MOST_ROWS);
  await new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      acknowledged = Number(line) + 1;
      if (acknowledged >= target) resolve();
    });
  });
  await setTimeout(Math.random() * LONGEST_PAUSE_MS);
  writer.kill('SIGKILL');
  await once(lines, 'close');
  return { kept, acknowledged };
}
