import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openRebuildable } from './open-rebuildable.ts';

const HOLD = `import { DatabaseSync } from 'node:sqlite';
new DatabaseSync(process.argv[1]).exec("BEGIN IMMEDIATE; INSERT INTO rows VALUES ('theirs')");
console.log('locked');
setTimeout(() => process.exit(), 12_000);`;

const OPEN = `import { openRebuildable } from '${path.join(import.meta.dirname, 'open-rebuildable.ts')}';
const [, file, start, text] = process.argv;
while (Date.now() < Number(start));
const database = openRebuildable(file, { version: 2, schema: 'CREATE TABLE rows (text TEXT)' });
database.prepare('INSERT INTO rows VALUES (?)').run(text);
database.close();`;

it('preserves the rows of all processes that create it at the same time', { timeout: 300_000 }, async () => {
  for (let attempt = 0; attempt < 20; attempt++) {
    const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-rebuildable-'));
    const file = path.join(folder, 'index.sqlite');
    if (attempt % 2 === 1) openRebuildable(file, { version: 1, schema: 'CREATE TABLE rows (former TEXT)' }).close();
    const start = String(Date.now() + 500);
    const texts = ['a', 'b'];
    const closed = texts.map((text) =>
      once(spawn(process.execPath, ['--input-type=module', '--eval', OPEN, file, start, text]), 'close'),
    );
    expect(await Promise.all(closed)).toEqual([
      [0, null],
      [0, null],
    ]);
    const database = openRebuildable(file, { version: 2, schema: '' });
    expect(database.prepare('SELECT text FROM rows ORDER BY text').all()).toEqual(texts.map((text) => ({ text })));
    database.close();
    rmSync(folder, { recursive: true });
  }
});

it('waits for a long update by another process', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-rebuildable-'));
  const file = path.join(folder, 'index.sqlite');
  const open = () => openRebuildable(file, { version: 1, schema: 'CREATE TABLE rows (text TEXT)' });
  open().close();
  const other = spawn(process.execPath, ['--input-type=module', '--eval', HOLD, file]);
  await once(other.stdout, 'data');
  const database = open();
  database.exec(`BEGIN IMMEDIATE; INSERT INTO rows VALUES ('ours'); COMMIT`);
  expect(database.prepare('SELECT text FROM rows').all()).toEqual([{ text: 'ours' }]);
  database.close();
  rmSync(folder, { recursive: true });
});
