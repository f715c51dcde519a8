import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getPidNamespace, readLock, acquireLock } from './acquire-lock.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const ignore = () => undefined;
const locked = (pid: number) =>
  expect.objectContaining({ code: 'STORE_LOCKED', message: expect.stringContaining(String(pid)) });

/** The lock of a process that is gone; `id` tells locks apart. */
function writeStaleLock(path: string, id = 'stale'): void {
  writeFileSync(path, JSON.stringify({ id, pid: process.pid, startedAt: 'long ago', place: getPidNamespace() }));
}

test('is refused while this process holds it, and free after it was released', () => {
  const path = join(temporaryFolder(), 'lock');
  const lock = acquireLock(path, ignore);
  expect(() => acquireLock(path, ignore)).toThrow(locked(process.pid));
  lock.release();
  expect(readLock(path)).toBeUndefined();
  acquireLock(path, ignore).release();
});

test('contains the address of its origin', () => {
  const path = join(temporaryFolder(), 'lock');
  const lock = acquireLock(path, ignore);
  const origin = { url: 'http://127.0.0.1:1', publicUrl: 'https://x.test', restRoot: 'rest', sealedToken: 'AA==' };
  lock.announce(origin);
  expect(readLock(path)).toMatchObject({ held: true, pid: process.pid, origin });
  expect(() => acquireLock(path, ignore)).toThrow('http://127.0.0.1:1');
  lock.release();
});

test('a lock whose process number now belongs to another process is taken over', () => {
  const path = join(temporaryFolder(), 'lock');
  writeStaleLock(path);
  const lock = acquireLock(path, ignore);
  expect(readLock(path)).toMatchObject({ held: true, pid: process.pid });
  lock.release();
});

test('a claimant that died before it replaced the lock is succeeded in its turn', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'lock');
  writeStaleLock(path);
  writeStaleLock(`${path}.after-stale`, 'claim');
  acquireLock(path, ignore);
  expect(readdirSync(folder)).toEqual(['lock']);
});

test('a lock of another machine is held until it was not touched for a minute', () => {
  const path = join(temporaryFolder(), 'lock');
  const elsewhere = JSON.stringify({ id: 'x', pid: 1, startedAt: 'then', place: 'other-host' });
  writeFileSync(path, elsewhere);
  expect(() => acquireLock(path, ignore)).toThrow('process 1 on other-host');
  utimesSync(path, new Date(), new Date(Date.now() - 61_000));
  acquireLock(path, ignore).release();
});

test('a lock that a power cut left unreadable is taken over, though not while it may be being written', () => {
  const path = join(temporaryFolder(), 'lock');
  writeFileSync(path, '');
  expect(readLock(path)?.held).toBe(true);
  utimesSync(path, new Date(), new Date(Date.now() - 10_000));
  acquireLock(path, ignore).release();
});

test('of 20 processes that race for stale locks, each lock goes to exactly one', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const paths = Array.from({ length: 10 }, (_, round) => join(folder, `lock-${round}`));
  for (const path of paths) writeStaleLock(path, path.at(-1));
  const program = new URL('./testing/contend-for-lock.ts', import.meta.url).pathname;
  const contenders = Array.from({ length: 20 }, () =>
    spawn(process.execPath, [program, ...paths], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  await Promise.all(contenders.map(({ stdout }) => once(stdout, 'data')));
  const startAt = String(Date.now() + 200);
  const answers = contenders.map(({ stdin, stdout }) => {
    stdin.write(startAt);
    return once(stdout, 'data');
  });
  const won = (await Promise.all(answers)).flatMap(([text]) => JSON.parse(String(text)) as string[]);
  expect(won.toSorted()).toEqual(paths.toSorted());
  const holders = paths.map((path) => (JSON.parse(readFileSync(path, 'utf8')) as { id: string }).id);
  expect(new Set(holders).size).toBe(paths.length);
  for (const { stdin } of contenders) stdin.end();
  await Promise.all(contenders.map((contender) => once(contender, 'exit')));
  expect(readdirSync(folder)).toEqual([]);
});
