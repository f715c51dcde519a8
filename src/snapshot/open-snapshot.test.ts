import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProduct, fillSnapshot } from './testing/fill-snapshot.ts';
import { createStorageError, lockSnapshot, openSnapshot } from './open-snapshot.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortiment-snapshot-'));
  file = path.join(folder, 'home/snapshot.sqlite');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const vario = createProduct();
const brems = createProduct({ gtin: '9524010000030', name: 'DIFFRANA Brems 20' });

function write(products = [vario]): string {
  const snapshot = openSnapshot(file);
  const { digest } = fillSnapshot(snapshot, { products });
  snapshot.close();
  return digest;
}

describe('opening', () => {
  it('for reading needs a snapshot', () => {
    expect(() => openSnapshot(file, { readOnly: true })).toThrow(
      expect.objectContaining({ code: 'SNAPSHOT_MISSING', hint: expect.stringContaining('npm run sync') }),
    );
    expect(existsSync(path.dirname(file))).toBe(false);
  });

  it('for writing leaves nothing behind when nothing was committed', async () => {
    openSnapshot(file).close();
    expect(await readdir(path.dirname(file))).toEqual([]);
  });

  it('puts a new snapshot in its place once it is whole: one file', async () => {
    const snapshot = openSnapshot(file);
    fillSnapshot(snapshot, { products: [vario] });
    expect(existsSync(file)).toBe(false);
    snapshot.close();
    expect(await readdir(path.dirname(file))).toEqual(['snapshot.sqlite']);
  });

  it('of a folder that can’t be written says so', () => {
    writeFileSync(path.join(folder, 'home'), 'a file');
    const unwritable = expect.objectContaining({
      code: 'SNAPSHOT_UNWRITABLE',
      message: expect.stringContaining(folder),
    });
    expect(() => lockSnapshot(file)).toThrow(unwritable);
  });

  it('on a full disk says so, rather than that the snapshot is damaged', () => {
    const database = new DatabaseSync(path.join(folder, 'full.sqlite'));
    database.exec('PRAGMA max_page_count = 3; CREATE TABLE t (x)');
    const fill = () => database.exec('INSERT INTO t VALUES (randomblob(100000))');
    expect(fill).toThrow('full');
    try {
      fill();
    } catch (error) {
      expect(createStorageError(error, file)).toMatchObject({ message: expect.stringContaining('the disk is full') });
    }
    expect(createStorageError(new Error('x'), file)).toBeUndefined();
    database.close();
  });

  it('of a later version is refused, and left as it is', () => {
    write();
    const later = new DatabaseSync(file);
    later.exec('PRAGMA user_version = 99');
    later.close();
    for (const readOnly of [true, false]) {
      expect(() => openSnapshot(file, { readOnly })).toThrow(expect.objectContaining({ code: 'SNAPSHOT_NEWER' }));
    }
  });

  it('of a version before the first release says so', () => {
    mkdirSync(path.dirname(file), { recursive: true });
    const earlier = new DatabaseSync(file);
    earlier.exec('CREATE TABLE meta (key TEXT, value TEXT); PRAGMA user_version = 1');
    earlier.close();
    expect(() => openSnapshot(file, { readOnly: true })).toThrow(
      expect.objectContaining({ code: 'SNAPSHOT_OUTDATED', hint: expect.stringContaining('npm run sync') }),
    );
    expect(() => openSnapshot(file)).toThrow(expect.objectContaining({ code: 'SNAPSHOT_OUTDATED' }));
  });

  it('says so when the file is something else', () => {
    write();
    writeFileSync(
      file,
      'This is a text, and a rather long one, so that it can not be taken for an empty database.'.repeat(20),
    );
    for (const readOnly of [true, false]) {
      expect(() => openSnapshot(file, { readOnly })).toThrow(expect.objectContaining({ code: 'SNAPSHOT_UNREADABLE' }));
    }
  });
});

describe('many readers and one writer', () => {
  it('readers go on while a run is committed, and see it when they ask again', () => {
    const first = write();
    const readers = Array.from({ length: 5 }, () => openSnapshot(file, { readOnly: true }));
    const reading = readers[0]?.products();
    expect(reading?.next().value).toMatchObject({ gtin: vario.gtin });
    const second = write([vario, brems]);
    expect(second).not.toBe(first);
    expect(reading?.next().done).toBe(true);
    for (const reader of readers) {
      expect(reader.digest()).toBe(second);
      expect(reader.product(brems.gtin, 'de-de')?.record.name).toBe('DIFFRANA Brems 20');
      reader.close();
    }
  });

  it('readers can’t write', () => {
    write();
    const reader = openSnapshot(file, { readOnly: true });
    expect(() => reader.database.exec('DELETE FROM products')).toThrow(/readonly/);
    reader.close();
  });
});

describe('the lock', () => {
  it('lets one writer in and names it to the other', () => {
    const lock = lockSnapshot(file, new Date('2026-11-21T10:00:00Z'));
    expect(() => lockSnapshot(file)).toThrow(
      expect.objectContaining({
        code: 'SYNC_RUNNING',
        message: expect.stringContaining(`process ${process.pid}, since 2026-11-21T10:00:00.000Z`),
      }),
    );
    lock.release();
    lockSnapshot(file).release();
  });

  it('ends with the process that holds it, in whatever way that ends', async () => {
    const script = `
      const { lockSnapshot } = await import(${JSON.stringify(import.meta.resolve('./open-snapshot.ts'))});
      lockSnapshot(${JSON.stringify(file)});
      console.log('held');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(() => lockSnapshot(file)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(`${child.pid}`) }),
    );
    child.kill('SIGKILL');
    await once(child, 'close');
    lockSnapshot(file).release();
  });
});
