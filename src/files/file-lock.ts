import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Locks a file until it is released or the process ends. The file stays empty. */
export function acquireFileLock(file: string, waitMs = 0): Disposable {
  mkdirSync(path.dirname(file), { recursive: true });
  using locks = new DisposableStack();
  locks.use(new DatabaseSync(file, { timeout: waitMs })).exec('BEGIN EXCLUSIVE');
  return locks.move();
}

/** True if another process has locked a database. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
