import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { findImagePaths, imageVariants, parseImagePath } from '#catalogue/images/image-variants.ts';
import { openImageCache, produceImages } from './images.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-images-'));
const original = path.join(folder, 'original.png');
let digest: string;

beforeAll(async () => {
  const bytes = await sharp({
    create: { width: 400, height: 300, channels: 4, background: { r: 20, g: 80, b: 120, alpha: 0.5 } },
  })
    .png()
    .toBuffer();
  writeFileSync(original, bytes);
  digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
});

const variants = () => imageVariants({ digest, width: 400, height: 300, role: 'thumbnail' });
const wanted = () =>
  findImagePaths(
    variants()
      .map((variant) => `<img src="${variant.path}">`)
      .join(),
  );
const produce = (distFolder: string, imagesFolder = path.join(folder, 'cache')) =>
  produceImages({
    images: wanted(),
    findOriginal: (name) => (name === digest ? original : undefined),
    imagesFolder,
    distFolder,
  });

describe('produceImages', () => {
  it('makes exactly the files that pages refer to, in their format and size', async () => {
    const dist = path.join(folder, 'dist');
    expect(await produce(dist)).toEqual({ total: 7, made: 7, failed: [] });
    for (const variant of variants()) {
      const { format, width, height, hasAlpha } = await sharp(path.join(dist, variant.path)).metadata();
      expect({ format, width, height }, variant.path).toEqual({
        format: variant.format === 'avif' ? 'heif' : variant.format,
        width: variant.width,
        height: variant.height,
      });
      expect(hasAlpha, variant.path).toBe(variant.format !== 'jpeg');
    }
  });

  it('makes nothing a second time, and leaves no halves behind', async () => {
    const dist = path.join(folder, 'dist-again');
    expect(await produce(dist)).toEqual({ total: 7, made: 0, failed: [] });
    expect(readdirSync(path.join(dist, '_images'))).toHaveLength(7);
    const kept = readdirSync(path.join(folder, 'cache'), { recursive: true, encoding: 'utf8' });
    expect(kept.filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });

  it('names what it could not make and makes the rest', async () => {
    const broken = path.join(folder, 'broken.png');
    writeFileSync(broken, 'not an image');
    const images = [
      ...wanted(),
      ...findImagePaths('/_images/aaaaaaaaaaaaaaaa-320.webp /_images/bbbbbbbbbbbbbbbb-320.webp'),
    ];
    const dist = path.join(folder, 'dist-broken');
    const result = await produceImages({
      images,
      findOriginal: (name) => ({ [digest]: original, aaaaaaaaaaaaaaaa: broken })[name],
      imagesFolder: path.join(folder, 'cache'),
      distFolder: dist,
    });
    expect(result.failed).toEqual([
      { path: '/_images/aaaaaaaaaaaaaaaa-320.webp', reason: expect.stringContaining('unsupported image format') },
      { path: '/_images/bbbbbbbbbbbbbbbb-320.webp', reason: 'The original is missing from the snapshot.' },
    ]);
    expect(existsSync(path.join(dist, variants()[0]?.path ?? ''))).toBe(true);
  });

  it('makes one file for all who ask at the same time', async () => {
    const cache = openImageCache(path.join(folder, 'cache-shared'));
    const [image] = wanted();
    if (!image) throw new Error('nothing wanted');
    const obtained = await Promise.all(Array.from({ length: 5 }, () => cache.obtain([image], original)).flat());
    expect(obtained.filter(({ made }) => made)).toHaveLength(1);
    expect(new Set(obtained.map(({ file }) => file)).size).toBe(1);
  });

  it('turns upright what a camera has marked as lying', async () => {
    const lying = path.join(folder, 'lying.jpg');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      lying,
      await sharp({ create: { width: 400, height: 200, channels: 3, background: '#888' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    );
    const cache = openImageCache(path.join(folder, 'cache-lying'));
    const [cached] = cache.obtain([{ path: '', digest: 'c'.repeat(16), width: 100, format: 'webp' }], lying);
    const file = (await cached)?.file;
    const { width, height, orientation } = await sharp(file).metadata();
    expect({ width, height, orientation }).toEqual({ width: 100, height: 200, orientation: undefined });
  });
});

describe('paths of derived images', () => {
  it.each(['/_images/0123456789abcdef-640.avif', '/_images/0123456789abcdef-1.jpg'])('reads %s', (pathname) => {
    expect(parseImagePath(pathname)).toMatchObject({ path: pathname, digest: '0123456789abcdef' });
  });

  it.each([
    '/_images/../x-640.avif',
    '/_images/0123456789abcdef-0.avif',
    '/_images/0123456789abcdef-640.avif/x',
    '/x/_images/0123456789abcdef-640.gif',
  ])('refuses %s', (pathname) => {
    expect(parseImagePath(pathname)).toBeUndefined();
  });
});
