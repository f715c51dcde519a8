import { crc32 } from 'node:zlib';

const GPS_TAG = 0x8825;
const MAX_ENTRIES = 500;
const MAX_FOLDERS = 16;
/** In all that looks like EXIF: cameras write a few hundred, once. */
const MAX_ENTRIES_OF_FILE = 32_000;
/** Places that look like EXIF or XMP; a picture has a few. */
const MAX_PLACES = 500_000;
/** Chunks of a PNG; a film of 64 MB has some ten thousand. */
const MAX_CHUNKS = 200_000;
/** Texts in a PNG: decoders make something of each. */
const MAX_TEXTS = 1000;
/** Bytes of a value, by its TIFF type. */
const WIDTHS: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 };
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A picture without the place where it was taken: what is uploaded can be downloaded by everybody. The position in EXIF is
 * overwritten where it stands, in JPEG, TIFF, PNG, WebP and AVIF alike, and XMP that tells a place is blanked. Everything
 * else, such as orientation and colour profile, stays as it came, and no pixel is encoded again.
 *
 * @throws RangeError for one whose metadata is made to be read for ages, and for a BigTIFF: its places are written otherwise
 */
export function withoutPosition(original: Uint8Array): Uint8Array {
  const bytes = Buffer.from(original);
  if (['II+\0', 'MM\0+'].includes(bytes.toString('latin1', 0, 4))) throw new RangeError('It is a BigTIFF.');
  const isPng = bytes.subarray(0, 8).equals(PNG);
  blankExif(bytes);
  blankXmp(bytes);
  if (isPng) return mendPng(bytes);
  return bytes;
}

/** EXIF is a small TIFF file, wherever it is put. */
function blankExif(bytes: Buffer): void {
  const budget = { entries: MAX_ENTRIES_OF_FILE, bytes: bytes.length, places: MAX_PLACES };
  const spend = (of: keyof typeof budget, amount: number) => {
    budget[of] -= amount;
    // A position that stays is worse than a picture that nobody's camera makes.
    if (budget[of] < 0) throw new RangeError('Its EXIF refers to the same bytes again and again.');
  };
  for (const header of ['II*\0', 'MM\0*']) {
    for (let at = bytes.indexOf(header, 0, 'latin1'); at >= 0; at = bytes.indexOf(header, at + 4, 'latin1')) {
      spend('places', 1);
      blankTiff(bytes.subarray(at), header.startsWith('II'), spend);
    }
  }
}

function blankTiff(tiff: Buffer, isLittle: boolean, spend: (of: 'entries' | 'bytes', amount: number) => void): void {
  const fits = (at: number, length: number) => at >= 0 && at + length <= tiff.length;
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  if (!fits(4, 4)) return;
  let folder = u32(4);
  for (let seen = 0; seen < MAX_FOLDERS && folder >= 8 && fits(folder, 2); seen += 1) {
    const count = u16(folder);
    if (count === 0 || count > MAX_ENTRIES || !fits(folder + 2, count * 12)) return;
    spend('entries', count);
    for (let i = 0; i < count; i += 1) {
      const entry = folder + 2 + i * 12;
      if (u16(entry) === GPS_TAG && u16(entry + 2) === 4) blankFolder(u32(entry + 8));
    }
    const next = folder + 2 + count * 12;
    folder = fits(next, 4) ? u32(next) : 0;
  }

  function blankFolder(start: number): void {
    if (start < 8 || !fits(start, 2)) return;
    const count = u16(start);
    if (count > MAX_ENTRIES || !fits(start + 2, count * 12)) return;
    spend('entries', count);
    for (let i = 0; i < count; i += 1) {
      const entry = start + 2 + i * 12;
      const length = (WIDTHS[u16(entry + 2)] ?? 0) * u32(entry + 4);
      const place = u32(entry + 8);
      if (length <= 4 || place < 8 || !fits(place, length)) continue;
      spend('bytes', length);
      tiff.fill(0, place, place + length);
    }
    tiff.fill(0, start, start + 2 + count * 12);
  }
}

/** Fields of XMP that tell a place: GPS of EXIF, and the locations of IPTC, under whatever prefix. */
const PLACE = /:(?:GPS[A-Z]|Location(?:Created|Shown|Id|Name)?[\s=>]|City[\s=>]|Sublocation[\s=>])/;

function blankXmp(bytes: Buffer): void {
  const opening = '<rdf:RDF';
  const closing = '</rdf:RDF>';
  let places = 0;
  for (let at = bytes.indexOf(opening), end = 0; at >= 0; at = bytes.indexOf(opening, end)) {
    places += 1;
    if (places > MAX_PLACES) throw new RangeError('It holds XMP again and again.');
    end = bytes.indexOf(closing, at);
    if (end < 0) return;
    const inner = bytes.indexOf('>', at) + 1;
    if (inner > 0 && inner <= end && PLACE.test(bytes.toString('latin1', at, end))) {
      bytes.fill(' ', inner, end);
      // An attribute of the opening tag tells no place, so it may stay.
    }
  }
}

const TEXTS: ReadonlySet<string> = new Set(['zTXt', 'iTXt', 'tEXt']);

/** Checksums of what was blanked; texts that are compressed can't be looked into, and go if they hold metadata. */
function mendPng(bytes: Buffer): Uint8Array {
  const kept = [bytes.subarray(0, 8)];
  let texts = 0;
  let at = 8;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) break;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (['eXIf', 'iTXt', 'tEXt'].includes(type)) bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end - 4)), end - 4);
    if (!isHiddenMetadata(type, bytes.subarray(at + 8, end - 4))) kept.push(bytes.subarray(at, end));
    if (TEXTS.has(type)) texts += 1;
    if (kept.length > MAX_CHUNKS || texts > MAX_TEXTS) throw new RangeError('It has more chunks than any picture.');
    at = end;
  }
  kept.push(bytes.subarray(at));
  return Buffer.concat(kept);
}

function isHiddenMetadata(type: string, text: Buffer): boolean {
  if (!TEXTS.has(type)) return false;
  const keyword = text.toString('latin1', 0, Math.min(80, Math.max(0, text.indexOf(0))));
  // ImageMagick writes EXIF and XMP as text in hexadecimal.
  if (/^Raw profile type (?:exif|app1|xmp)/i.test(keyword)) return true;
  return keyword === 'XML:com.adobe.xmp' && (type === 'zTXt' || (type === 'iTXt' && text[keyword.length + 1] === 1));
}
