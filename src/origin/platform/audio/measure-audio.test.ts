import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diskFiles } from '#origin/platform/files/disk-files.ts';
import { measureAudio } from '#files/media/audio.ts';
import { measureStoredAudio } from './measure-stored-audio.ts';
import { makeFrames, makeTagHead } from './testing/make-audio.ts';

const text = (value: string) => Buffer.from(value, 'latin1');
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
};

function oggPage(stream: number, position: bigint, body: Buffer): Buffer {
  const head = Buffer.alloc(28);
  head.write('OggS', 'latin1');
  head.writeBigInt64LE(position, 6);
  head.writeUInt32LE(stream, 14);
  head.writeUInt8(1, 26);
  head.writeUInt8(Math.min(body.length, 255), 27);
  return Buffer.concat([head, body]);
}
const opusHead = Buffer.concat([text('OpusHead\x01\x02'), Buffer.from([0x38, 0x01]), Buffer.alloc(40)]);
const movie = (seconds: number) =>
  box('moov', box('mvhd', Buffer.alloc(12), u32(1000), u32(seconds * 1000), Buffer.alloc(80)));

/** A file in memory that counts what is read of it. */
function parted(bytes: Buffer, claimed = bytes.length) {
  const counted = { bytes: 0, reads: 0 };
  const read = (start: number, length: number) => {
    const part = bytes.subarray(start, start + length);
    counted.bytes += part.length;
    counted.reads += 1;
    return Promise.resolve(part);
  };
  return { counted, file: { bytes: claimed, read } };
}
const measure = (bytes: Buffer, claimed?: number) => measureAudio(parted(bytes, claimed).file);

describe('the duration of an audio file', () => {
  test('is read of MP3, Ogg and MP4', async () => {
    expect(await measure(makeFrames(100))).toEqual({ format: 'mp3', durationMs: 2606 });
    const ogg = Buffer.concat([
      oggPage(7, 0n, opusHead),
      oggPage(7, 96_000n, Buffer.alloc(255)),
      oggPage(7, 96_312n, Buffer.alloc(255)),
    ]);
    expect(await measure(ogg)).toEqual({ format: 'ogg', durationMs: 2000 });
    const sound = box('mdat', Buffer.alloc(300_000));
    expect(await measure(Buffer.concat([box('ftyp', text('M4A ')), sound, movie(61)]))).toEqual({
      format: 'mp4',
      durationMs: 61_000,
    });
  });

  test('is read after tags of any size, from a file on the disk', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-audio-'));
    const bytes = 100 * 1024 * 1024;
    writeFileSync(path.join(folder, 'tagged.mp3'), makeTagHead(bytes));
    truncateSync(path.join(folder, 'tagged.mp3'), bytes + 10);
    writeFileSync(path.join(folder, 'tagged.mp3'), makeFrames(100), { flag: 'a' });
    expect(await measureStoredAudio(diskFiles(folder), 'tagged.mp3')).toEqual({ format: 'mp3', durationMs: 2606 });
    expect(await measureStoredAudio(diskFiles(folder), 'gone.mp3')).toBeUndefined();
  });

  test('is unknown of other files', async () => {
    for (const bytes of ['', 'ID3', '<!doctype html><title>Not found</title>', '%PDF-1.7', '{"a":1}', 'OggS'])
      expect(await measure(text(bytes.padEnd(200, ' ')))).toBeUndefined();
    const picture = Buffer.concat([text('\xff\xd8\xff\xfb\x90\x00'), Buffer.alloc(5000, 7)]);
    expect(await measure(picture)).toBeUndefined();
  });

  test('is unknown where tags claim more bytes than there are, or times that no recording has', async () => {
    expect(await measure(Buffer.concat([makeTagHead(100 * 1024 * 1024), makeFrames(3)]))).toBeUndefined();
    expect(await measure(Buffer.concat([box('ftyp', text('M4A ')), movie(4_000_000)]))).toEqual({
      format: 'mp4',
      durationMs: undefined,
    });
    const endless = Buffer.concat([oggPage(1, 0n, opusHead), oggPage(1, 2n ** 62n, Buffer.alloc(9))]);
    expect(await measure(endless)).toEqual({ format: 'ogg', durationMs: undefined });
  });

  test('takes few and small reads, whatever a file is made of', async () => {
    const start = fc.constantFrom('', 'ID3\x04\0\0\x7f\x7f\x7f\x7f', 'ID3\x03\0\0\0\0\x01\0', 'OggS', '\0\0\0\x08ftyp');
    const pieces = fc.constantFrom('\xff\xfb\x90\x00', 'OggS\0\0', '\0\0\0\x01moov', '\0\0\0\x08free', '\0\0\0\0mdat');
    const made = fc.tuple(start, pieces, fc.nat({ max: 60_000 }), fc.uint8Array({ maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(made, async ([begin, piece, count, rest]) => {
        const bytes = Buffer.concat([text(begin), text(piece.repeat(count)), rest]);
        const { file, counted } = parted(bytes, 4 * 1024 ** 3);
        const sound = await measureAudio(file);
        if (sound) expect(sound.durationMs ?? 1).toBeGreaterThan(0);
        expect(counted.reads).toBeLessThanOrEqual(202);
        expect(counted.bytes).toBeLessThan(1_000_000);
      }),
      { numRuns: 60, seed: 17 },
    );
  });
});
