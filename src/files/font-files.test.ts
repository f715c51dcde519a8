import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readDrawableFonts, readFontFaces } from './font-files.ts';

const root = path.resolve(import.meta.dirname, '../..');

it('reads the faces of a style sheet of a package', () => {
  const faces = readFontFaces(root, ['@fontsource-variable/instrument-sans/index.css']);
  expect(faces.map(({ weight, style }) => `${weight} ${style}`)).toEqual(Array(2).fill('400 700 normal'));
  expect(faces[1]?.unicodeRange?.slice(0, 2)).toEqual(['U+0000-00FF', 'U+0131']);
  expect(faces[1]?.files[0]).toMatch(/instrument-sans-latin-wght-normal\.woff2$/);
});

it('takes a font of the project as it is, and refuses a missing one', () => {
  expect(readFontFaces(root, ['./package.json'])).toEqual([{ files: [path.join(root, 'package.json')] }]);
  expect(() => readFontFaces(root, ['./own/missing.woff2'])).toThrow();
  expect(() => readFontFaces(root, ['@fontsource/missing/index.css'])).toThrow();
});

it('finds upright faces for share images, with their weights', () => {
  const files = ['@fontsource/instrument-sans/600.css', '@fontsource/instrument-sans/600-italic.css'];
  const weights = (names: string[]) => readDrawableFonts(root, names).map(({ weight }) => weight);
  expect(weights(files)).toEqual([600, 600]);
  expect(weights(['@fontsource-variable/instrument-sans/index.css'])).toEqual([]);
  const [icons = ''] = globSync('node_modules/playwright-core/lib/vite/traceViewer/*.ttf', { cwd: root });
  expect(weights([`./${icons}`])).toEqual([400]);
});
