import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '#config/index.ts';
import { openMemoryManifest } from './generated-manifest.ts';
import { readPage } from '#files/built-files.ts';
import { GENERATORS } from './generators.ts';
import { updateGeneratedFiles, type GeneratorSources } from './update-files.ts';

/**
 * Generates all files of a site from scratch.
 * @param publicFiles Files of `public/`, which go before what is made here.
 * @returns Root-relative paths of the images and documents that these files refer to.
 */
export async function generateFiles(
  settings: Settings,
  {
    distFolder,
    ...options
  }: {
    distFolder: string;
    host: GeneratorSources;
    publicFiles: ReadonlySet<string>;
    warn: (message: string) => void;
  },
): Promise<{ images: string[]; documents: string[] }> {
  const manifest = openMemoryManifest();
  try {
    await updateGeneratedFiles(settings, {
      ...options,
      generators: GENERATORS,
      manifest,
      isReliable: false,
      changes: undefined,
      isPage: (file) => existsSync(path.join(distFolder, file)),
      isThere: () => false,
      write: (file, bytes) => {
        const target = path.join(distFolder, file);
        mkdirSync(path.dirname(target), { recursive: true });
        writeFileSync(target, bytes);
      },
      readPage: (file) => readPage(distFolder, file),
    });
    return manifest.references();
  } finally {
    manifest.close();
  }
}
