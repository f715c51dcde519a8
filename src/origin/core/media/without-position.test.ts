import sharp from 'sharp';
import { expect, test } from 'vitest';
import { withoutPosition } from './without-position.ts';

const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="52,31.2N" exif:GPSLongitude="13,24.5E"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const PLACE = { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 1234/100', GPSLongitude: '13/1 24/1 5678/100' };

const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#369' } })
    .withExif({ IFD0: { Copyright: 'Maker', Orientation: '6' }, IFD3: PLACE })
    .withXmp(XMP)
    .withIccProfile('p3');

test.each(['jpeg', 'png', 'webp', 'avif'] as const)('a %s keeps all but its place', async (format) => {
  const original = await picture().toFormat(format).toBuffer();
  const before = await sharp(original).metadata();
  // 1234/100 as it stands in EXIF, little endian.
  const minutes = Buffer.from([0xd2, 0x04, 0, 0, 0x64, 0, 0, 0]);
  expect([before.exif, original].some((bytes) => bytes?.includes(minutes))).toBe(true);

  const cleaned = withoutPosition(original);
  const after = await sharp(cleaned).metadata();
  expect(Buffer.from(cleaned).includes(minutes)).toBe(false);
  expect(Buffer.from(cleaned).includes('GPSLatitude')).toBe(false);
  expect(after.xmp?.includes('GPS') ?? false).toBe(false);
  expect(after.exif?.includes('Maker') ?? true).toBe(true);
  expect([after.orientation, after.icc?.length]).toEqual([before.orientation, before.icc?.length]);
  expect(await sharp(cleaned).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer());
});

test('a picture that tells no place stays as it is, byte for byte', async () => {
  const original = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#936' } })
    .withExif({ IFD0: { Copyright: 'Maker' } })
    .jpeg()
    .toBuffer();
  expect(Buffer.from(withoutPosition(original)).equals(original)).toBe(true);
});

test.each(['II*\0', 'MM\0*', '<rdf:RDF', 'II*\0\b\0\0\0\u0001\0%\u0088\u0004\0\u0001\0\0\0\b\0\0\0'])(
  'damaged data of nothing but %j is let through',
  (part) => {
    const bytes = Buffer.from(part.repeat(2000), 'latin1');
    expect(withoutPosition(bytes)).toHaveLength(bytes.length);
  },
);
