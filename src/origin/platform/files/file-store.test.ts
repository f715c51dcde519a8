import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { diskFiles } from './disk-files.ts';
import type { FileStore } from './file-store.ts';
import { s3Files } from './s3-files.ts';
import { startTestBucket, type TestBucket } from './testing/start-test-bucket.ts';

const bytes = (text: string) => Buffer.from(text);
let plain: TestBucket;
let conditional: TestBucket;
beforeAll(async () => {
  plain = await startTestBucket();
  conditional = await startTestBucket({ knowsConditions: true });
});
afterAll(async () => {
  await plain.close();
  await conditional.close();
});

describe.each([
  ['a folder', () => diskFiles(temporaryFolder())],
  ['a bucket', () => s3Files(plain, randomUUID())],
  ['a bucket that knows conditions', () => s3Files(conditional, randomUUID())],
] as const)('files in %s', (_, open) => {
  let files: FileStore;
  beforeEach(() => void (files = open()));

  it('are added once, however many try at the same time', async () => {
    const tries = Array.from({ length: 8 }, (__, n) => files.add('2026/11/a.txt', bytes(`${n}`)));
    const answers = await Promise.all(tries);
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect((await files.read('2026/11/a.txt'))?.toString()).toBe(String(answers.indexOf(true)));
    expect(await files.add('2026/11/a.txt', bytes('again'))).toBe(false);
    await files.remove('2026/11/a.txt');
    expect(await files.add('2026/11/a.txt', bytes('again'))).toBe(true);
  });

  it('are replaced, listed and removed', async () => {
    const before = Date.now();
    await files.put('a/b.txt', bytes('1'));
    await files.put('a/b.txt', bytes('2'));
    await files.put('a/deeper/c.txt', bytes('3'));
    await files.put('ab.txt', bytes('4'));
    expect((await files.read('a/b.txt'))?.toString()).toBe('2');
    const [listed, ...others] = await files.list('a');
    expect([listed?.path, others]).toEqual(['a/b.txt', []]);
    expect(Math.abs((listed?.writtenAt.getTime() ?? 0) - before)).toBeLessThan(10_000);
    expect(await files.measure()).toBe(3);
    await files.remove('a/b.txt');
    await files.remove('a/b.txt');
    expect(await files.has('a/b.txt')).toBe(false);
    expect(await files.has('a/deeper/c.txt')).toBe(true);
    expect(await files.read('a/b.txt')).toBeUndefined();
    expect(await files.open('a/b.txt')).toBeUndefined();
    expect(await files.list('nowhere')).toEqual([]);
  });

  it('come from a file of this machine, which stays', async () => {
    const from = path.join(temporaryFolder(), 'large.bin');
    writeFileSync(from, Buffer.alloc(200_000, 7));
    await files.put('a/large.bin', bytes('before'));
    await files.putFile('a/large.bin', from);
    expect(await files.read('a/large.bin')).toEqual(readFileSync(from));
  });

  it('keep their bytes, whatever they are and are called', async () => {
    const all = Buffer.from(Array.from({ length: 70_000 }, (__, n) => n % 256));
    for (const path of ["d/a b+c&d(1)!'*.txt", 'd/größe%20 <x>.bin', 'd/empty'])
      await files.put(path, path === 'd/empty' ? bytes('') : all);
    expect((await files.list('d')).map(({ path }) => path).toSorted()).toEqual(
      ["d/a b+c&d(1)!'*.txt", 'd/empty', 'd/größe%20 <x>.bin'].toSorted(),
    );
    expect(await files.read("d/a b+c&d(1)!'*.txt")).toEqual(all);
    expect(await files.read('d/größe%20 <x>.bin')).toEqual(all);
    expect((await files.read('d/empty'))?.length).toBe(0);
  });

  it('are opened as they are, whole and in part', async () => {
    await files.put('digits.txt', bytes('0123456789'));
    const read = async (range?: { start: number; end: number }) =>
      new Response(await (await files.open('digits.txt'))?.stream(range)).text();
    expect([await read(), await read({ start: 2, end: 4 }), await read({ start: 9, end: 9 })]).toEqual([
      '0123456789',
      '234',
      '9',
    ]);
    const first = await files.open('digits.txt');
    expect(first).toMatchObject({ bytes: 10, modifiedAt: expect.any(Date), etag: expect.stringMatching(/^".+"$/) });
    await first?.close();
    await files.put('digits.txt', bytes('98765432109'));
    const second = await files.open('digits.txt');
    expect(second?.etag).not.toBe(first?.etag);
    await second?.close();
  });

  it('lie nowhere else', async () => {
    for (const path of ['../x', '/etc/passwd', 'a/../../x', 'a\0b', '', '.'])
      await expect(files.add(path, bytes('x'))).rejects.toMatchObject({ code: 'FILE_OUTSIDE' });
  });
});
