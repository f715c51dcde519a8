/** MP3: frames of 128 kbit/s at 44.1 kHz, 38.28 of them a second, all silent. */
export function makeFrames(count: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_00);
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

/** The head of tags in front of MP3 that claim a length, seven bits a byte. */
export function makeTagHead(length: number): Buffer {
  const bytes = [21, 14, 7, 0].map((bits) => (length >> bits) & 127);
  return Buffer.concat([Buffer.from('ID3\u0004\0\0', 'latin1'), Buffer.from(bytes)]);
}
