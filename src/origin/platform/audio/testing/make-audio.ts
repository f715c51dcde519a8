/** Silent MP3 frames of 128 kbit/s at 44.1 kHz: 38.28 frames per second. */
export function makeFrames(count: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_00);
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

/** Header of an ID3 tag that claims a length, with seven bits per byte. */
export function makeTagHead(length: number): Buffer {
  const bytes = [21, 14, 7, 0].map((bits) => (length >> bits) & 127);
  return Buffer.concat([Buffer.from('ID3\u0004\0\0', 'latin1'), Buffer.from(bytes)]);
}
