import { createMedia } from '#contracts/core/routes.ts';
import { errorFactory } from '#origin/platform/http/transport/rest-error.ts';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { isResizable } from '#origin/platform/media/image-work.ts';
import { prepareMedia } from './prepare-media.ts';
import { UPLOAD_TYPES } from '#origin/platform/files/file-store.ts';
import { stripLocation } from './strip-location.ts';

const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="52,31.2N" exif:GPSLongitude="13,24.5E"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const PLACE = { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 1234/100', GPSLongitude: '13/1 24/1 5678/100' };

const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#369' } })
    .withExif({ IFD0: { Copyright: 'Maker', Orientation: '6' }, IFD3: PLACE })
    .withXmp(XMP)
    .withIccProfile('p3');

/** GIF files have no EXIF; TIFF is tested below. */
test.each(['jpeg', 'png', 'webp', 'avif'] as const)('a %s keeps all but its place', async (format) => {
  const original = await picture().toFormat(format).toBuffer();
  const before = await sharp(original).metadata();
  // 1234/100 as it stands in EXIF, little endian.
  const minutes = Buffer.from([0xd2, 0x04, 0, 0, 0x64, 0, 0, 0]);
  expect([before.exif, original].some((bytes) => bytes?.includes(minutes))).toBe(true);

  const cleaned = stripLocation(original);
  const after = await sharp(cleaned).metadata();
  expect(Buffer.from(cleaned).includes(minutes)).toBe(false);
  expect(Buffer.from(cleaned).includes('GPSLatitude')).toBe(false);
  expect(after.xmp?.includes('GPS') ?? false).toBe(false);
  expect(after.exif?.includes('Maker') ?? true).toBe(true);
  expect([after.orientation, after.icc?.length]).toEqual([before.orientation, before.icc?.length]);
  expect(await sharp(cleaned).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer());
});

function entry(tag: number, type: number, values: number, value: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16LE(tag, 0);
  bytes.writeUInt16LE(type, 2);
  bytes.writeUInt32LE(values, 4);
  bytes.writeUInt32LE(value, 8);
  return bytes;
}

function counted(folder: Buffer[]): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16LE(folder.length);
  return Buffer.concat([head, ...folder, Buffer.alloc(4)]);
}

/** A TIFF whose own folder names one of GPS, as cameras and maps write it: sharp writes none. */
async function tiffWithPlace(): Promise<Buffer> {
  const plain = await picture().toFormat('tiff').toBuffer();
  const start = plain.readUInt32LE(4);
  const count = plain.readUInt16LE(start);
  const entries = Array.from({ length: count }, (_, i) => plain.subarray(start + 2 + i * 12, start + 14 + i * 12));
  const latitude = Buffer.alloc(24);
  [52, 1, 31, 1, 1234, 100].forEach((number, i) => latitude.writeUInt32LE(number, i * 4));
  const gpsAt = plain.length + latitude.length;
  const gps = counted([entry(2, 5, 3, plain.length)]);
  const own = counted([...entries, entry(0x8825, 4, 1, gpsAt)].toSorted((a, b) => a.readUInt16LE() - b.readUInt16LE()));
  plain.writeUInt32LE(gpsAt + gps.length, 4);
  return Buffer.concat([plain, latitude, gps, own]);
}

test('a TIFF keeps all but its place', async () => {
  const original = await tiffWithPlace();
  const minutes = Buffer.from([0xd2, 0x04, 0, 0, 0x64, 0, 0, 0]);
  expect([original.includes(minutes), original.includes('GPSLatitude')]).toEqual([true, true]);
  const cleaned = Buffer.from(stripLocation(original));
  expect([cleaned.includes(minutes), cleaned.includes('GPSLatitude')]).toEqual([false, false]);
  expect(await sharp(cleaned).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer());
});

const refuse = errorFactory(createMedia.errors, {});

test.each(['II+\0', 'MM\0+'])('a BigTIFF, whose place stands elsewhere, is refused: %j', async (head) => {
  const bytes = await picture().tiff({ bigtiff: true }).toBuffer();
  bytes.write(head, 'latin1');
  const prepared = prepareMedia(bytes, { mimeType: 'image/tiff' }, { generateSizes: true, refuse });
  await expect(prepared).rejects.toMatchObject({ code: 'rest_upload_image_type_not_supported' });
});

test('a GIF loses the place that its XMP tells', async () => {
  const plain = await picture().toFormat('gif').toBuffer();
  const block = Buffer.concat([Buffer.from('!\xff\x0bXMP DataXMP', 'latin1'), Buffer.from(XMP), Buffer.alloc(258)]);
  const original = Buffer.concat([plain.subarray(0, -1), block, plain.subarray(-1)]);
  expect(Buffer.from(stripLocation(original)).includes('GPSLatitude')).toBe(false);
});

// A type that is neither cleaned nor refused would show everybody where a picture was taken.
const UNSIZED = Object.keys(UPLOAD_TYPES).filter((type) => type.startsWith('image/') && !isResizable(type));
test.each(UNSIZED)('%s is refused, or loses its place as well', async (mimeType) => {
  const bytes = await picture().png().toBuffer();
  const prepared = await prepareMedia(bytes, { mimeType }, { generateSizes: true, refuse }).catch(
    (error: unknown) => error,
  );
  if (prepared instanceof Error) expect(prepared).toMatchObject({ code: 'rest_upload_image_type_not_supported' });
  else
    expect(JSON.stringify(prepared)).toBe(JSON.stringify({ ...(prepared as object), original: stripLocation(bytes) }));
});

test('a picture that tells no place stays as it is, byte for byte', async () => {
  const original = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#936' } })
    .withExif({ IFD0: { Copyright: 'Maker' } })
    .jpeg()
    .toBuffer();
  expect(Buffer.from(stripLocation(original)).equals(original)).toBe(true);
});

test.each(['II*\0', 'MM\0*', '<rdf:RDF', 'II*\0\b\0\0\0\u0001\0%\u0088\u0004\0\u0001\0\0\0\b\0\0\0'])(
  'damaged data of nothing but %j is let through',
  (part) => {
    const bytes = Buffer.from(part.repeat(2000), 'latin1');
    expect(stripLocation(bytes)).toHaveLength(bytes.length);
  },
);

const emptyText = Buffer.from('0000000074455874d9bb5fea', 'hex');

test.each<[what: string, format: 'jpeg' | 'png', part: Buffer, parts: number]>([
  ['starts of EXIF', 'jpeg', Buffer.from('II*\0'), 500_001],
  ['starts of XMP', 'jpeg', Buffer.from('<rdf:RDF></rdf:RDF>'), 500_001],
  ['texts', 'png', emptyText, 1001],
])('a picture with more %s than any has is refused before it takes long', async (_, format, part, parts) => {
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#936' } })
    .toFormat(format)
    .toBuffer();
  const repeated = (n: number) =>
    Buffer.concat([bytes.subarray(0, 33), Buffer.alloc(n * part.length, part), bytes.subarray(33)]);
  expect(() => stripLocation(repeated(parts))).toThrow(RangeError);
  expect(stripLocation(repeated(Math.floor(parts / 2))).length).toBeGreaterThan(part.length);
  const prepared = prepareMedia(repeated(parts), { mimeType: `image/${format}` }, { generateSizes: true, refuse });
  await expect(prepared).rejects.toMatchObject({ code: 'rest_upload_image_type_not_supported' });
});

test('EXIF that names the same bytes again and again is refused before it takes long', () => {
  const start = Buffer.from('II*\0\u0008\0\0\0', 'latin1');
  const own = (place: number) => counted([entry(0x8825, 4, 1, place)]);
  const values = Array.from({ length: 400 }, () => entry(1, 1, 90_000, 10_000));
  const parts = [start, own(start.length + own(0).length), counted(values), Buffer.alloc(100_000)];
  expect(() => stripLocation(Buffer.concat(parts))).toThrow(/repeatedly/);
});
