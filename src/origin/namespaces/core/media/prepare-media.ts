import { fitSize } from '#contracts/core/image-sizes.ts';
import {
  isResizable,
  LONGEST_SIDE,
  makeImageSizes,
  measureImage,
  resizeImage,
  type ImageFile,
  NO_IMAGE_META,
  type ImageMeta,
  openImage,
  openSource,
  unreadableImage,
  withImage,
  type CreateImageError,
} from '#origin/platform/media/image-work.ts';
import { cutFileText, MAX_FILE_TEXT_BYTES } from '#files/media/file-text.ts';
import { readAudio } from '#files/media/audio.ts';
import { readVideo } from '#files/media/read-movie.ts';
import { stripLocationInWorker } from './strip-location.ts';

const TAGS = {
  description: 0x010e,
  camera: 0x0110,
  orientation: 0x0112,
  artist: 0x013b,
  copyright: 0x8298,
  exif: 0x8769,
  exposure: 0x829a,
  aperture: 0x829d,
  iso: 0x8827,
  digitised: 0x9004,
  focalLength: 0x920a,
} as const;

const READ_TAGS: ReadonlySet<number> = new Set(Object.values(TAGS));

/** Bytes of a value, by its TIFF type. */
const WIDTHS: Readonly<Record<number, number>> = { 2: 1, 3: 2, 4: 4, 5: 8 };

const MAX_ENTRIES = 500;

const MAX_TITLE_LENGTH = 80;

export interface PreparedMedia {
  mimeType: string;
  /** The uploaded bytes, without the GPS position. */
  original: Uint8Array;
  /** Smaller or upright version that pages show instead of the original. */
  standIn?: ImageFile & { suffix: '-scaled' | '-rotated' };
  sizes: Record<string, ImageFile>;
  /** Fields of `media_details` that don't depend on file names. */
  measured: Record<string, unknown>;
  /** Title from the file's metadata. */
  title: string;
  caption: string;
}

/**
 * Reads the metadata of a file and generates the sizes of an image. Writes nothing.
 *
 * @param options.generateSizes if false, generates neither sizes nor a scaled or rotated version
 * @throws RestError if the image is unreadable, unsupported or too large
 */
export async function prepareMedia(
  original: Uint8Array,
  { mimeType }: { mimeType: string },
  options: { generateSizes: boolean; refuse: CreateImageError },
): Promise<PreparedMedia> {
  const plain = { mimeType, original, sizes: {}, title: '', caption: '' };
  if (mimeType.startsWith('image/')) {
    // Runs before decoding, because decoders are slow on malicious metadata.
    const stripped = await stripLocationInWorker(original).catch(() => {
      throw unreadableImage(options);
    });
    // Icons contain several images and have no sizes.
    if (mimeType === 'image/x-icon') return { ...plain, original: stripped, measured: { filesize: stripped.length } };
    return withImage(options, stripped, () => prepareImage(stripped, mimeType, options));
  }
  return { ...plain, measured: { ...readMediaMetadata(original, mimeType), filesize: original.length } };
}

function readMediaMetadata(bytes: Uint8Array, mimeType: string): Record<string, unknown> {
  if (mimeType.startsWith('audio/')) return readAudio(bytes, mimeType);
  return mimeType.startsWith('video/') ? readVideo(bytes, mimeType) : {};
}

async function prepareImage(
  original: Uint8Array,
  mimeType: string,
  { generateSizes }: { generateSizes: boolean },
): Promise<PreparedMedia> {
  if (!isResizable(mimeType)) throw new Error(`Images of type ${mimeType} cannot be decoded.`);
  const { width, height, exif, orientation = 1, pages = 1 } = await openImage(original).metadata();
  const meta: ImageMeta = exif ? parseExif(exif) : { ...NO_IMAGE_META };
  const about = { mimeType, original, title: meta.title, caption: meta.caption };
  if (!generateSizes) return { ...about, sizes: {}, measured: measure({ width, height }, original, meta) };

  const full = await measureImage(original);
  // A single frame can't replace an animation.
  const isLarge = Math.max(width, height) > LONGEST_SIDE && pages === 1;
  const isRotated = orientation > 1;
  const source = await openSource(original);
  const sizes = await makeImageSizes(source, full, mimeType);
  if (!isLarge && !isRotated) {
    // Decodes the image to detect damage if no size has done so.
    if (Object.keys(sizes).length === 0) await openImage(original).stats();
    return { ...about, sizes, measured: measure(full, original, meta) };
  }
  const box = isLarge ? fitSize(full, { width: LONGEST_SIDE, height: LONGEST_SIDE, crop: false }) : full;
  const display = await resizeImage(source, { ...box, crop: false, mimeType });
  const standIn = { ...display, suffix: isLarge ? ('-scaled' as const) : ('-rotated' as const) };
  const displayMeta = isRotated ? { ...meta, orientation: 1 } : meta;
  return { ...about, standIn, sizes, measured: measure(display, display.bytes, displayMeta) };
}

function measure({ width, height }: { width: number; height: number }, bytes: Uint8Array, meta: ImageMeta) {
  return { width, height, filesize: bytes.length, image_meta: meta };
}

type Values = Map<number, string | number>;

/**
 * Parses the EXIF fields of `image_meta`. Damaged EXIF yields empty fields. Not exifr, because version 7 takes 14 seconds
 * for 100 kB of crafted EXIF: it reads the same long text once for each tag that refers to it.
 */
export function parseExif(exif: Uint8Array | undefined): ImageMeta {
  const values = exif ? readValues(Buffer.from(exif.buffer, exif.byteOffset, exif.byteLength)) : new Map();
  const text = (tag: number) => cutFileText(String(values.get(tag) ?? '').trim());
  const number = (tag: number, digits: number) => String(round(Number(values.get(tag) ?? 0), digits));
  const description = text(TAGS.description);
  return {
    ...NO_IMAGE_META,
    aperture: number(TAGS.aperture, 2),
    credit: text(TAGS.artist),
    camera: text(TAGS.camera),
    caption: description,
    created_timestamp: parseTimestamp(text(TAGS.digitised)),
    copyright: text(TAGS.copyright),
    focal_length: number(TAGS.focalLength, 2),
    iso: number(TAGS.iso, 0),
    shutter_speed: number(TAGS.exposure, 6),
    title: description.length < MAX_TITLE_LENGTH ? description : '',
    orientation: String(values.get(TAGS.orientation) ?? 0),
  };
}

function readValues(exif: Buffer): Values {
  const tiff = exif.subarray(0, 6).toString('latin1') === 'Exif\0\0' ? exif.subarray(6) : exif;
  const values: Values = new Map();
  try {
    const isLittle = tiff.toString('latin1', 0, 2) === 'II';
    const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
    const u32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
    readFolder(u32(4));
    const exifFolder = values.get(TAGS.exif);
    if (typeof exifFolder === 'number') readFolder(exifFolder);

    function readFolder(start: number): void {
      const count = Math.min(u16(start), MAX_ENTRIES);
      for (let at = start + 2; at < start + 2 + count * 12; at += 12) {
        const [tag, type, length] = [u16(at), u16(at + 2), u32(at + 4)];
        const width = WIDTHS[type];
        // Repeated tags are ignored, since crafted EXIF uses them to consume CPU.
        if (width === undefined || !READ_TAGS.has(tag) || values.has(tag)) continue;
        const valueStart = width * length <= 4 ? at + 8 : u32(at + 8);
        const end = valueStart + Math.min(length, MAX_FILE_TEXT_BYTES);
        if (type === 2) values.set(tag, tiff.toString('utf8', valueStart, end).replace(/\0[\s\S]*$/, ''));
        else if (type === 3) values.set(tag, u16(valueStart));
        else if (type === 4) values.set(tag, u32(valueStart));
        else values.set(tag, u32(valueStart) / (u32(valueStart + 4) || 1));
      }
    }
  } catch {
    // Truncated EXIF. The values read so far are used.
  }
  return values;
}

function round(value: number, digits: number): number {
  return Number.isFinite(value) ? Number(value.toFixed(digits)) : 0;
}

/** Converts `2026:11:21 10:00:00` to seconds since 1970. EXIF times have no zone and are read as UTC. */
function parseTimestamp(text: string): string {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(text) ?? [];
  const ms = Date.parse(`${year}-${month}-${day}T${time}Z`);
  return Number.isNaN(ms) ? '0' : String(ms / 1000);
}
