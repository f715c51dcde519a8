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

it('waits for a long update by another process', { timeout: 60_000 }, async () => {
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
