import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Font, FontWeight } from 'satori';
import sharp, { type OverlayOptions } from 'sharp';
import { PREVIEW_SIZE, type PreviewCard } from '#catalogue/images/image-variants.ts';
import path from 'node:path';
import { getErrorMessage } from '#contracts/index.ts';
import { readDrawableFonts } from '#files/font-files.ts';
import { writeOnce } from '#files/replace-file.ts';
import { cacheName } from '../images/images.ts';

/** Renderer versions, as a part of cache keys. */
const RENDERER_VERSION = `sharp ${sharp.versions.sharp} vips ${sharp.versions.vips}`;

const MAX_INPUT_PIXELS = 100_000_000;
const MARGIN = 64;
/** Panel on the right for the image. */
const PLATE = { width: 500, margin: 32 };
const INK = '#14171a';
const INK_SOFT = '#555c63';
const GROUND = '#f2f4f4';
const LONG_TITLE = 26;

type Style = Record<string, string | number>;
interface Element {
  type: string;
  key: null;
  props: { style: Style; children: string | Element[] };
}

/**
 * Renders a card as JPEG.
 * @param original Absolute path of its image.
 * @param root Folder of the project, for its font.
 */
export async function drawPreview(card: PreviewCard, original: string | undefined, root: string): Promise<Buffer> {
  // An optional package.
  const { default: satori } = await import('satori');
  const fonts = readFonts(root, card.font);
  const fontFamily = [...new Set(fonts.map(({ name }) => name))].join(', ');
  const layout = createLayout(card, original !== undefined);
  Object.assign(layout.props.style, { fontFamily });
  const svg = await satori(layout, { ...PREVIEW_SIZE, fonts });
  const drawn = sharp(Buffer.from(svg));
  const picture = original === undefined ? [] : [await preparePicture(original)];
  return drawn.composite(picture).flatten({ background: '#ffffff' }).jpeg({ quality: 82 }).toBuffer();
}

function createLayout({ site, overline, title, line, accent }: PreviewCard, hasPicture: boolean): Element {
  const width = PREVIEW_SIZE.width - 2 * MARGIN - (hasPicture ? PLATE.width : 0);
  const size = title.length > LONG_TITLE ? 60 : 76;
  const texts = [
    ...(overline ? [text(overline, { fontSize: 30, color: accent })] : []),
    text(title, { fontSize: size, fontWeight: 600, lineHeight: 1.08, lineClamp: 3, letterSpacing: -1 }),
    ...(line ? [text(line, { fontSize: 32, color: INK_SOFT, lineHeight: 1.35, lineClamp: 3 })] : []),
  ];
  const column = box(
    { width, height: PREVIEW_SIZE.height - 2 * MARGIN, flexDirection: 'column', justifyContent: 'space-between' },
    [
      ...(title === site
        ? [box({ height: 8, width: 96, background: accent }, [])]
        : [text(site, { fontSize: 34, fontWeight: 600 })]),
      box({ flexDirection: 'column', gap: 18 }, texts),
    ],
  );
  const plate = box(
    { position: 'absolute', right: 0, top: 0, width: PLATE.width, height: '100%', background: GROUND },
    [],
  );
  return box(
    {
      width: '100%',
      height: '100%',
      padding: MARGIN,
      background: '#ffffff',
      color: INK,
    },
    hasPicture ? [column, plate] : [column],
  );
}

function box(style: Style, children: Element[]): Element {
  return { type: 'div', key: null, props: { style: { display: 'flex', ...style }, children } };
}

function text(words: string, style: Style): Element {
  // `block` with `lineClamp` truncates long text with an ellipsis.
  return { type: 'div', key: null, props: { style: { display: 'block', ...style }, children: words } };
}

async function preparePicture(original: string): Promise<OverlayOptions> {
  const { width, margin } = PLATE;
  const { data, info } = await sharp(original, { limitInputPixels: MAX_INPUT_PIXELS, autoOrient: true })
    .resize({ width: width - 2 * margin, height: PREVIEW_SIZE.height - 2 * margin, fit: 'inside' })
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true });
  return {
    input: data,
    left: PREVIEW_SIZE.width - width + Math.round((width - info.width) / 2),
    top: Math.round((PREVIEW_SIZE.height - info.height) / 2),
  };
}

/** Fonts by the files of the project's font. The engine parses each array once. */
const fontsByFiles = new Map<string, Font[]>();

function readFonts(root: string, files: readonly string[] = []) {
  const key = JSON.stringify([root, files]);
  const fonts = fontsByFiles.get(key) ?? [...loadBrandFonts(root, files), ...loadFonts()];
  fontsByFiles.set(key, fonts);
  return fonts;
}

function loadBrandFonts(root: string, files: readonly string[]) {
  const faces = readDrawableFonts(root, files);
  const ranges = [...new Set(faces.map(({ range }) => range))];
  return faces.map(({ data, weight, range }) => ({
    // The engine uses one face for each name and weight.
    name: `Brand ${ranges.indexOf(range)}`,
    data,
    weight: weight as FontWeight,
    style: 'normal' as const,
  }));
}

function loadFonts() {
  const { resolve } = createRequire(import.meta.url);
  const load = (name: string, subset: string, weight: 400 | 600) => ({
    name,
    data: readFileSync(resolve(`@fontsource/instrument-sans/files/instrument-sans-${subset}-${weight}-normal.woff`)),
    weight,
    style: 'normal' as const,
  });
  return ([400, 600] as const).flatMap((weight) => [
    load('Site', 'latin', weight),
    load('Site Extended', 'latin-ext', weight),
  ]);
}

/** Returns the path of a card's cached image. */
export function previewFile(imagesFolder: string, pathname: string): string {
  return path.join(imagesFolder, 'preview', cacheName([pathname, RENDERER_VERSION], 'jpg'));
}

/** Renders a card into its cache file unless it exists. @returns True if it was rendered. */
export async function cachePreview(
  file: string,
  card: PreviewCard,
  original: string | undefined,
  root: string,
): Promise<boolean> {
  return (await writeOnce(file, () => drawPreview(card, original, root))) !== undefined;
}

export interface PreviewTask {
  path: string;
  file: string;
  card: PreviewCard;
  original: string | undefined;
  root: string;
}

export interface PreviewResult {
  path: string;
  /** Error message. Undefined on success. */
  reason?: string;
}

export async function drawPreviews(orders: readonly PreviewTask[]): Promise<PreviewResult[]> {
  const drawn: PreviewResult[] = [];
  for (const { path, file, card, original, root } of orders) {
    try {
      await cachePreview(file, card, original, root);
      drawn.push({ path });
    } catch (error) {
      drawn.push({ path, reason: getErrorMessage(error) });
    }
  }
  return drawn;
}
