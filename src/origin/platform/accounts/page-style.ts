import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OriginBrand } from '#origin/platform/context/origin-context.ts';

/** Path of the fonts of all HTML pages. */
const FONTS_PATH = '/admin/fonts/';
const FONT_PACKAGE = '@fontsource-variable/instrument-sans/files/';

/** Style sheets of the catalogue that the origin's pages share. */
const SHARED = 'reset fonts tokens base layout components/masthead components/controls components/tables'.split(' ');

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Style sheet of every HTML page of the origin. It is inlined and allowed by its hash. */
const PAGE_STYLE = `@layer catalogue {
${SHARED.map((name) => read(`../../../styles/${name}.css`)).join('')}}
${read('page.css')}`
  .replaceAll(FONT_PACKAGE, FONTS_PATH)
  .replaceAll(/\/\*[^]*?\*\//g, '')
  .replaceAll(/\n\s*/g, '\n');

/** Returns the style sheet with the accent colour of a catalogue. */
export function pageStyle(accent: OriginBrand['accent'] | undefined): string {
  return accent ? `${PAGE_STYLE}:root { --accent: light-dark(${accent.light}, ${accent.dark}); }` : PAGE_STYLE;
}

/** Reads a font of the style sheet; undefined for other names. */
export function readFont(name: string): Buffer<ArrayBuffer> | undefined {
  if (!PAGE_STYLE.includes(`'${FONTS_PATH}${name}'`)) return undefined;
  return readFileSync(fileURLToPath(import.meta.resolve(FONT_PACKAGE + name)));
}
