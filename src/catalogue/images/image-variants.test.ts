import { describe, expect, it } from 'vitest';
import { imageVariants, shopImages, type ImageOriginal } from './image-variants.ts';

const original = (changes: Partial<ImageOriginal> = {}): ImageOriginal => ({
  digest: '0123456789abcdef',
  width: 2000,
  height: 1000,
  role: 'product',
  ...changes,
});

const pathsOf = (changes: Partial<ImageOriginal>) => imageVariants(original(changes)).map(({ path }) => path);

describe('imageVariants', () => {
  it('names AVIF and WebP in the widths of the role, and one JPEG at the end', () => {
    expect(pathsOf({ role: 'thumbnail' })).toEqual([
      '/_images/0123456789abcdef-160.avif',
      '/_images/0123456789abcdef-320.avif',
      '/_images/0123456789abcdef-640.avif',
      '/_images/0123456789abcdef-160.webp',
      '/_images/0123456789abcdef-320.webp',
      '/_images/0123456789abcdef-640.webp',
      '/_images/0123456789abcdef-1200.jpg',
    ]);
  });

  it('keeps the proportions', () => {
    expect(imageVariants(original()).map(({ width, height }) => height / width)).toEqual(Array(7).fill(0.5));
  });

  it('never goes beyond the original, and uses all of it', () => {
    expect(pathsOf({ width: 800, height: 800 })).toEqual([
      '/_images/0123456789abcdef-320.avif',
      '/_images/0123456789abcdef-640.avif',
      '/_images/0123456789abcdef-800.avif',
      '/_images/0123456789abcdef-320.webp',
      '/_images/0123456789abcdef-640.webp',
      '/_images/0123456789abcdef-800.webp',
      '/_images/0123456789abcdef-800.jpg',
    ]);
  });

  it('makes one width of a tiny original', () => {
    expect(imageVariants(original({ width: 90, height: 1 }))).toEqual([
      { path: '/_images/0123456789abcdef-90.avif', width: 90, height: 1, format: 'avif' },
      { path: '/_images/0123456789abcdef-90.webp', width: 90, height: 1, format: 'webp' },
      { path: '/_images/0123456789abcdef-90.jpg', width: 90, height: 1, format: 'jpeg' },
    ]);
  });

  it('gives shops JPEGs of three sizes, as far as the original goes', () => {
    expect(shopImages(original({ width: 1000, height: 500 })).map(({ path }) => path)).toEqual([
      '/_images/0123456789abcdef-300.jpg',
      '/_images/0123456789abcdef-800.jpg',
      '/_images/0123456789abcdef-1000.jpg',
    ]);
  });
});
