import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDrawable, parsePreviewPath, previewPath, type PreviewCard } from '#catalogue/images/image-variants.ts';
import { createProductEntry } from '#catalogue/testing/create-product-entry.ts';
import { productPreview } from '#components/preview-cards.ts';
import options from '#sortiment.config.ts';
import { drawPreview } from './draw-preview.ts';
import { findReferences } from '../scan/read-head.ts';
import { producePreviews } from './produce-previews.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-previews-'));
const original = path.join(folder, 'original.png');
const card = (title: string): PreviewCard => ({
  site: 'Haldenwerk',
  overline: 'Dampfbremsen',
  title,
  line: 'HW-10110 · 1,5 × 50 m',
  picture: 'a'.repeat(16),
  accent: '#c93a0a',
});
const cards = new Map(['One', 'Two'].map((title) => [previewPath('de-de', '9524010000016', card(title)), card(title)]));

beforeAll(async () => {
  await sharp({ create: { width: 300, height: 300, channels: 3, background: '#0000ff' } }).toFile(original);
});

const produce = (distFolder: string, changes: Partial<Parameters<typeof producePreviews>[0]> = {}) =>
  producePreviews({
    places: [...cards.keys()].flatMap((place) => parsePreviewPath(place) ?? []),
    findCard: ({ path: place }) => cards.get(place),
    findOriginal: () => original,
    imagesFolder: path.join(folder, 'images'),
    root: folder,
    distFolder,
    ...changes,
  });

it('draws with the font of the project', async () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const own = await drawPreview({ ...card('One'), font: ['@fontsource/instrument-sans/700.css'] }, undefined, root);
  const standard = await drawPreview(card('One'), undefined, root);
  expect(own.equals(standard)).toBe(false);
});

describe('producePreviews', () => {
  it('draws no more of a name than a picture has room for', async () => {
    const item_number = 'x '.repeat(5_000);
    const product = createProductEntry({ name: `W${'o'.repeat(10_000)}rd`, item_number });
    const preview = productPreview(product, 'F'.repeat(10_000), options);
    if (!preview) throw new Error('It can be drawn.');
    for (const text of Object.values(preview.card)) expect(text.length).toBeLessThan(300);
    expect(await drawPreview(preview.card, undefined, folder)).toBeInstanceOf(Buffer);
  });

  it('draws each card once, in the size that previews ask for, with its picture at the right', async () => {
    const dist = path.join(folder, 'dist');
    expect(await produce(dist)).toEqual({ made: 2, failed: [] });
    const [file = ''] = cards.keys();
    const drawn = sharp(path.join(dist, file));
    expect(await drawn.metadata()).toMatchObject({ width: 1200, height: 630, format: 'jpeg' });
    const { data, info } = await drawn.raw().toBuffer({ resolveWithObject: true });
    const colour = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
    const [red = 255, , blue = 0] = colour(950, 315);
    expect(blue - red).toBeGreaterThan(200);
    expect(Math.min(...colour(10, 10))).toBeGreaterThan(250);
    expect(await produce(path.join(folder, 'dist-again'))).toEqual({ made: 0, failed: [] });
    expect(readFileSync(path.join(folder, 'dist-again', file)).equals(readFileSync(path.join(dist, file)))).toBe(true);
  });

  it('names what it could not draw, and draws the rest', async () => {
    const [first = ''] = cards.keys();
    const result = await produce(path.join(folder, 'dist-lost'), {
      imagesFolder: path.join(folder, 'other-images'),
      findCard: ({ path: place }) => (place === first ? undefined : cards.get(place)),
    });
    expect(result).toEqual({ made: 1, failed: [{ path: first, reason: expect.stringContaining('missing from') }] });
    expect(readdirSync(path.join(folder, 'dist-lost/_images/preview/de-de'))).toHaveLength(1);
  });
});

describe('a preview', () => {
  const [first = '', second = ''] = cards.keys();

  it('has another address as soon as it shows something else', () => {
    expect(first).toMatch(/^\/_images\/preview\/de-de\/9524010000016-[0-9a-f]{16}\.jpg$/);
    expect(second).not.toBe(first);
    expect(parsePreviewPath(first)).toEqual({ path: first, language: 'de-de', subject: '9524010000016' });
  });

  it('is found in a page that names it by its whole address', () => {
    const html = `<meta property="og:image" content="https://site.example${first}">`;
    expect(findReferences(html)).toEqual([first]);
  });

  it('is not drawn in a script that the font lacks', () => {
    expect(isDrawable(card('Größe 1,5 × 50 m – „Dämmung“ œuvre'))).toBe(true);
    expect(isDrawable(card('Пароизоляция'))).toBe(false);
  });
});
