import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** Compressed bytes that a page loads before any interaction. */
export interface PageWeight {
  /** Excludes the transcript, whose length depends on the episode. */
  htmlBytes: number;
  cssBytes: number;
  scriptBytes: number;
}

const TRANSCRIPT = /<section\b[^>]*\bclass="transcript__text".*?<\/section>/s;

/** Creates a function that weighs pages of a built site; shared files are read once. */
export function createPageWeigher(dist: string): (page: string) => Promise<PageWeight> {
  const weights = new Map<string, Promise<{ bytes: number; text: string }>>();
  const weigh = (file: string): Promise<{ bytes: number; text: string }> => {
    const found = weights.get(file) ?? readAndWeigh(path.join(dist, file));
    weights.set(file, found);
    return found;
  };
  const weighAll = async (files: readonly string[]): Promise<number> => {
    const found = await Promise.all(files.map(weigh));
    return found.reduce((sum, { bytes }) => sum + bytes, 0);
  };
  /** Returns scripts with their static imports. */
  const withImports = async (scripts: readonly string[]): Promise<string[]> => {
    const all = new Set(scripts);
    // Iterating over a set includes values added during the iteration.
    for (const script of all) {
      const { text } = await weigh(script);
      for (const [, target = ''] of text.matchAll(/\b(?:from|import)\s*"(\.[^"]+\.js)"/g))
        all.add(path.posix.join(path.posix.dirname(script), target));
    }
    return [...all];
  };
  return async (page) => {
    const { bytes, text } = await readAndWeigh(path.join(dist, page.endsWith('/') ? `${page}index.html` : page));
    const findAll = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, target = '']) => target);
    const sheets = findAll(/<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="([^"]+)"/g);
    const scripts = findAll(/<script\b[^>]*\bsrc="([^"]+)"/g);
    const inline = [...text.matchAll(/<script\b([^>]*)>.*?<\/script>/gs)].filter(
      ([, attributes = '']) => !/\bsrc=|type="(application\/(ld\+)?json|speculationrules)"/.test(attributes),
    );
    const withoutTranscript = text.replace(TRANSCRIPT, '');
    return {
      htmlBytes: withoutTranscript === text ? bytes : gzipSync(withoutTranscript).length,
      cssBytes: await weighAll(sheets),
      scriptBytes:
        (await weighAll(await withImports(scripts))) + inline.reduce((sum, [whole]) => sum + gzipSync(whole).length, 0),
    };
  };
}

async function readAndWeigh(file: string): Promise<{ bytes: number; text: string }> {
  const text = await readFile(file, 'utf8');
  return { bytes: gzipSync(text).length, text };
}
