import { trimEndOf } from '#contracts/index.ts';
/** Frames of ID3v2 that the interface shows, with their names there. */
const FRAMES: Readonly<Record<string, string>> = {
  TIT2: 'title',
  TPE1: 'artist',
  TALB: 'album',
  TRCK: 'track_number',
  TCON: 'genre',
  TCOM: 'composer',
  TDRC: 'recording_time',
  TYER: 'year',
  TSSE: 'encoder_settings',
};
const ENCODINGS = ['latin1', 'utf16le', 'utf16be', 'utf8'] as const;

/** Reads the tags in front of a sound, and says where they end. Damaged ones are left out. */
export function readId3(file: Buffer): { tags: Record<string, string>; end: number } {
  if (file.toString('latin1', 0, 3) !== 'ID3') return { tags: {}, end: 0 };
  const version = file.readUInt8(3);
  const end = Math.min(file.length, 10 + readSyncSafe(file, 6));
  // The second version had shorter frames; hardly anything writes it any more.
  if (version < 3) return { tags: {}, end };
  const tags: Record<string, string> = {};
  let at = 10;
  while (at + 10 <= end) {
    const id = file.toString('latin1', at, at + 4);
    const size = version >= 4 ? readSyncSafe(file, at + 4) : file.readUInt32BE(at + 4);
    if (!/^[A-Z\d]{4}$/.test(id) || size === 0 || at + 10 + size > end) break;
    const name = FRAMES[id];
    if (name !== undefined) tags[name] = readText(file.subarray(at + 10, at + 10 + size));
    at += 10 + size;
  }
  const year = /^\d{4}/.exec(tags['recording_time'] ?? '')?.[0];
  return { tags: { ...tags, ...(year === undefined ? {} : { year }) }, end };
}

/** Seven bits a byte. */
function readSyncSafe(file: Buffer, at: number): number {
  return [0, 1, 2, 3].reduce((sum, n) => sum * 128 + (file.readUInt8(at + n) & 127), 0);
}

function readText(frame: Buffer): string {
  const encoding = ENCODINGS[frame.readUInt8(0)] ?? 'latin1';
  const text = frame.subarray(1);
  const isBig = encoding === 'utf16be' || (encoding === 'utf16le' && text.toString('hex', 0, 2) === 'feff');
  const plain =
    encoding === 'latin1' || encoding === 'utf8'
      ? text.toString(encoding)
      : new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(text);
  return trimEndOf(plain.replace(/^\uFEFF/, ''), '\0').replaceAll('\0', ', ');
}
