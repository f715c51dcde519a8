import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** A face of a font. Values that only the file contains are undefined. */
export interface FontFace {
  /** Paths of the same face in several formats. */
  files: readonly string[];
  weight?: string | undefined;
  style?: string | undefined;
  unicodeRange?: string[] | undefined;
}

const FONT_FACE = /@font-face\s*\{([^}]*)\}/g;

/** Formats that the engine of share images reads. */
const DRAWABLE = /\.(?:woff|ttf|otf)$/;

/**
 * Reads the faces of fonts. Each name is a path of the project (`./src/own/sans.woff2`) or of an installed package, to a
 * font or to a style sheet with `@font-face` rules.
 *
 * @throws Error if a file is missing.
 */
export function readFontFaces(root: string, names: readonly string[]): FontFace[] {
  return names.flatMap((name) => {
    const file = createRequire(path.join(root, 'package.json')).resolve(name);
    if (!file.endsWith('.css')) return [{ files: [file] }];
    return Array.from(readFileSync(file, 'utf8').matchAll(FONT_FACE), ([, rule = '']) => {
      const valueOf = (property: string) => RegExp(`${property}\\s*:\\s*([^;]+)`).exec(rule)?.[1]?.trim();
      const urls = Array.from(rule.matchAll(/url\(\s*["']?([^"')]+)/g), ([, url = '']) => url);
      return {
        files: urls.map((url) => path.resolve(path.dirname(file), url)),
        weight: valueOf('font-weight'),
        style: valueOf('font-style'),
        unicodeRange: valueOf('unicode-range')?.split(/\s*,\s*/),
      };
    });
  });
}

/** A face for share images. */
export interface DrawableFont {
  data: Buffer;
  weight: number;
  /** Characters of the face, as in `unicode-range`; empty for all. */
  range: string;
}

/** Reads the upright faces that can be drawn on share images. */
export function readDrawableFonts(root: string, names: readonly string[]): DrawableFont[] {
  return readFontFaces(root, names).flatMap(({ files, weight, style, unicodeRange }) => {
    const file = files.find((name) => DRAWABLE.test(name));
    if (file === undefined || (style !== undefined && style !== 'normal')) return [];
    const data = readFileSync(file);
    return [{ data, weight: Number(weight) || readWeight(data), range: String(unicodeRange ?? '') }];
  });
}

const REGULAR = 400;

/** Reads the weight class of a TrueType or OpenType file. */
function readWeight(data: Buffer): number {
  for (let i = 12; i < 12 + 16 * data.readUInt16BE(4); i += 16)
    if (data.toString('latin1', i, i + 4) === 'OS/2') return data.readUInt16BE(data.readUInt32BE(i + 8) + 4);
  return REGULAR;
}
