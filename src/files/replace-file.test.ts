import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile, writeOnce } from './replace-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sortiment-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('replaceFile', () => {
  it('makes the folder and replaces what is there', async () => {
    const file = path.join(folder, 'new/report.json');
    await replaceFile(file, 'first');
    await replaceFile(file, 'second');
    expect(readFileSync(file, 'utf8')).toBe('second');
    expect(readdirSync(path.dirname(file))).toEqual(['report.json']);
  });

  it('leaves nothing behind when the file cannot take its place', async () => {
    const file = path.join(folder, 'taken');
    mkdirSync(path.join(file, 'by-a-folder'), { recursive: true });
    await expect(replaceFile(file, 'text')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(['taken']);
  });
});

const fail = () => Promise.reject(new Error('no picture'));

describe('writeOnce', () => {
  it('makes what is missing only, and nothing of what could not be made', async () => {
    const file = path.join(folder, 'picture');
    await expect(writeOnce(file, fail)).rejects.toThrow('no picture');
    expect(readdirSync(folder)).toEqual([]);
    expect(await writeOnce(file, async () => Buffer.from('four'))).toBe(4);
    expect(await writeOnce(file, fail)).toBeUndefined();
    expect(readFileSync(file, 'utf8')).toBe('four');
  });
});
