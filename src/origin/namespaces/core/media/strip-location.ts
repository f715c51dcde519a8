import { crc32 } from 'node:zlib';
import { JobThread } from '#origin/platform/render/worker/job-thread.ts';

const GPS_TAG = 0x8825;
const MAX_ENTRIES = 500;
const MAX_FOLDERS = 16;
/** Maximum number of EXIF entries in a file. Cameras write a few hundred. */
const MAX_ENTRIES_PER_FILE = 32_000;
/** Maximum number of EXIF or XMP headers. Images have a few. */
const MAX_HEADERS = 500_000;
/** Maximum number of PNG chunks. An animation of 64 MB has about ten thousand. */
const MAX_CHUNKS = 200_000;
/** Maximum number of PNG text chunks, each of which costs the decoder time. */
const MAX_TEXTS = 1000;
/** Bytes of a value, by its TIFF type. */
const WIDTHS: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 };
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Smaller files are processed directly, since transferring them to a worker takes longer. */
const SMALL_BYTES = 256 * 1024;

/** Separate from the worker for texts, so that texts don't wait for files. */
const worker = new JobThread(import.meta.url);

/** Removes the GPS position from an image without blocking other requests. @throws Error if the metadata is malicious */
export async function stripLocationInWorker(original: Uint8Array): Promise<Uint8Array> {
  if (original.length <= SMALL_BYTES) return stripLocation(original);
  return (await worker.run('stripLocation', [original])) as Uint8Array;
}

/** Runs a job in the worker thread. */
export function runJob(_job: string, [bytes]: readonly unknown[]): Uint8Array {
  return stripLocation(bytes as Uint8Array);
}

/**
 * Returns an image without its GPS position, because uploads are public. Overwrites the EXIF position in place, in JPEG,
 * TIFF, PNG, WebP and AVIF, and blanks XMP with a location. Other metadata and the pixels don't change.
 *
 * @throws RangeError if the metadata is crafted to consume CPU, or if the file is a BigTIFF, whose offsets are not supported
 */
export function stripLocation(original: Uint8Array): Uint8Array {
  const bytes = Buffer.from(original);
  if (['II+\0', 'MM\0+'].includes(bytes.toString('latin1', 0, 4))) throw new RangeError('BigTIFF is not supported.');
  const isPng = bytes.subarray(0, 8).equals(PNG);
  blankExif(bytes);
  blankXmp(bytes);
  if (isPng) return repairPng(bytes);
  return bytes;
}

/** Searches for TIFF headers, since EXIF is an embedded TIFF file in all formats. */
function blankExif(bytes: Buffer): void {
  const budget = { entries: MAX_ENTRIES_PER_FILE, bytes: bytes.length, headers: MAX_HEADERS };
  const spend = (item: keyof typeof budget, amount: number) => {
    budget[item] -= amount;
    // Rejecting a crafted image is better than publishing a position.
    if (budget[item] < 0) throw new RangeError('The EXIF metadata refers to the same bytes repeatedly.');
  };
  for (const header of ['II*\0', 'MM\0*']) {
    for (let at = bytes.indexOf(header, 0, 'latin1'); at >= 0; at = bytes.indexOf(header, at + 4, 'latin1')) {
      spend('headers', 1);
      blankTiff(bytes.subarray(at), header.startsWith('II'), spend);
    }
  }
}

function blankTiff(tiff: Buffer, isLittle: boolean, spend: (item: 'entries' | 'bytes', amount: number) => void): void {
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
      const valueStart = u32(entry + 8);
      if (length <= 4 || valueStart < 8 || !fits(valueStart, length)) continue;
      spend('bytes', length);
      tiff.fill(0, valueStart, valueStart + length);
    }
    tiff.fill(0, start, start + 2 + count * 12);
  }
}

/** XMP fields with a location: EXIF GPS and IPTC locations, under any prefix. */
const LOCATION = /:(?:GPS[A-Z]|Location(?:Created|Shown|Id|Name)?[\s=>]|City[\s=>]|Sublocation[\s=>])/;

function blankXmp(bytes: Buffer): void {
  const opening = '<rdf:RDF';
  const closing = '</rdf:RDF>';
  let headers = 0;
  for (let at = bytes.indexOf(opening), end = 0; at >= 0; at = bytes.indexOf(opening, end)) {
    headers += 1;
    if (headers > MAX_HEADERS) throw new RangeError('The image contains too many XMP packets.');
    end = bytes.indexOf(closing, at);
    if (end < 0) return;
    const inner = bytes.indexOf('>', at) + 1;
    if (inner > 0 && inner <= end && LOCATION.test(bytes.toString('latin1', at, end))) {
      bytes.fill(' ', inner, end);
      // Attributes of the opening tag contain no location.
    }
  }
}

const TEXTS: ReadonlySet<string> = new Set(['zTXt', 'iTXt', 'tEXt']);

/** Updates the checksums of blanked chunks. Drops compressed text chunks with metadata, since they can't be searched. */
function repairPng(bytes: Buffer): Uint8Array {
  const chunks = [bytes.subarray(0, 8)];
  let texts = 0;
  let at = 8;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) break;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (['eXIf', 'iTXt', 'tEXt'].includes(type)) bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end - 4)), end - 4);
    if (!isHiddenMetadata(type, bytes.subarray(at + 8, end - 4))) chunks.push(bytes.subarray(at, end));
    if (TEXTS.has(type)) texts += 1;
    if (chunks.length > MAX_CHUNKS || texts > MAX_TEXTS) throw new RangeError('The PNG has too many chunks.');
    at = end;
  }
  chunks.push(bytes.subarray(at));
  return Buffer.concat(chunks);
}

function isHiddenMetadata(type: string, text: Buffer): boolean {
  if (!TEXTS.has(type)) return false;
  const keyword = text.toString('latin1', 0, Math.min(80, Math.max(0, text.indexOf(0))));
  // ImageMagick stores EXIF and XMP as hexadecimal text.
  if (/^Raw profile type (?:exif|app1|xmp)/i.test(keyword)) return true;
  return keyword === 'XML:com.adobe.xmp' && (type === 'zTXt' || (type === 'iTXt' && text[keyword.length + 1] === 1));
}
