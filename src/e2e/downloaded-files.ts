import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Reads the rows of a CSV file, with commas or semicolons. */
export const readCsv = (text: string): Record<string, string>[] =>
  parse(text, { bom: true, columns: true, delimiter: [',', ';'] });

/** Returns the file that a click downloads. */
export async function download(tab: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('button', { name: button }).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** Reads the files of a ZIP from its directory; they are uncompressed, and verified by their CRC. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, crc, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 24)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(start, start + size);
    expect([method, crc32(content)]).toEqual([0, crc]);
    files.set(bytes.toString('utf8', at + 46, at + 46 + (name ?? 0)), content);
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
