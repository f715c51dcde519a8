import { crc32 } from 'node:zlib';

/** Marks a PNG as an animation by inserting an `acTL` chunk after its header. */
export function animatedPng(png: Buffer, frames: number): Buffer {
  const body = Buffer.alloc(12);
  body.write('acTL', 'latin1');
  body.writeUInt32BE(frames, 4);
  const chunk = Buffer.alloc(20);
  chunk.writeUInt32BE(8, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), 16);
  const afterHeader = 8 + 25;
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)]);
}
