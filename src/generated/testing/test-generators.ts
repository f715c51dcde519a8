import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig, resolveSettings, type OptionsInput, type Settings } from '#config/index.ts';
import { writeSnapshot, type SnapshotContent } from '#catalogue/testing/write-snapshot.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import { readOverlays } from '#catalogue/read-model/read-overlays.ts';
import { openManifest, type BuildManifest } from '#build/manifest/build-manifest.ts';
import type { FileGenerator } from '../generator.ts';
import { updateGeneratedFiles } from '../update-files.ts';

/** A site without pages, for tests of generators. */
export interface TestSite {
  settings: Settings;
  /** Text files of the site by path. */
  files: Map<string, string>;
  /** Returns a file as bytes. */
  bytesOf(file: string): Uint8Array | undefined;
  /** Files written by the last update. */
  written: string[];
  /** Warnings of the last update. */
  warnings: string[];
  /** GTINs of the products that the last update has read. */
  read: string[];
  /** Replaces the snapshot. */
  write(content: SnapshotContent): void;
  update(generators: readonly FileGenerator[], options?: UpdateTestOptions): ReturnType<typeof updateGeneratedFiles>;
  close(): void;
}

interface UpdateTestOptions {
  /** Generates everything from scratch, as after an interrupted build. */
  fromScratch?: boolean;
  publicFiles?: ReadonlySet<string>;
  /** Pages of the site by file. */
  pages?: Readonly<Record<string, string>>;
}

const DEFAULT_OPTIONS: OptionsInput = {
  site: { name: 'Haldenwerk', url: 'https://catalogue.example' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Prüfstand 1'], email: 'info@haldenwerk.example' },
  mainLanguage: 'de-de',
};

/** An image in a snapshot. */
export const TEST_PICTURE = {
  url: 'https://media.example/a.png',
  kind: 'image' as const,
  digest: '0123456789abcdef0123',
  file: 'a',
  width: 2000,
  height: 1000,
  mimeType: 'image/png',
};

const PROJECT = path.resolve(import.meta.dirname, '../../..');

async function runGenerators(
  settings: Settings,
  manifest: BuildManifest,
  {
    onRead,
    ...options
  }: Omit<Parameters<typeof updateGeneratedFiles>[1], 'host' | 'manifest' | 'changes'> & {
    onRead?: (gtin: string) => void;
  },
) {
  using host = openUpdatedReaders(settings);
  using snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  manifest.change();
  try {
    return await updateGeneratedFiles(settings, {
      ...options,
      host: {
        productIndex: host.productIndex(),
        readProduct: (listed) => {
          onRead?.(listed.gtin);
          return host.readProduct(listed);
        },
        snapshot,
        digest: snapshot.digest(),
        overlays: () => readOverlays(settings.root),
      },
      manifest: manifest.generated,
      changes: host.changes.everything ? undefined : host.changes,
    });
  } finally {
    manifest.commit({ fingerprint: '', distFolder: '', complete: true });
  }
}

/** Returns the text files that generators create from a synced snapshot, by path. */
export async function readGenerated(
  settings: Settings,
  generators: readonly FileGenerator[],
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  using manifest = openManifest(':memory:');
  await runGenerators({ ...settings, root: PROJECT }, manifest, {
    generators,
    isReliable: false,
    publicFiles: new Set(),
    isPage: () => false,
    isThere: () => false,
    write: (file, bytes) => void files.set(file, Buffer.from(bytes).toString()),
    readPage: (file) => files.get(file),
    warn: () => undefined,
  });
  return files;
}

export function openTestSite(content: SnapshotContent, options: Partial<OptionsInput> = {}): TestSite {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-generated-'));
  const settings = {
    ...resolveSettings(folder, defineConfig({ ...DEFAULT_OPTIONS, ...options })),
    // Provides the messages of the site.
    root: PROJECT,
  };
  writeSnapshot(content, folder);
  const manifest = openManifest(':memory:');
  const files = new Map<string, string>();
  const bytesOf = new Map<string, Uint8Array>();
  const textBytes = new Map<string, number>();
  let isKnown = false;
  const site: TestSite = {
    settings,
    files,
    bytesOf: (file) => (files.has(file) ? bytesOf.get(file) : undefined),
    written: [],
    warnings: [],
    read: [],
    write: (now) => void writeSnapshot(now, folder),
    update: async (generators, { fromScratch = false, publicFiles = new Set<string>(), pages = {} } = {}) => {
      Object.assign(site, { written: [], read: [], warnings: [] });
      const updated = await runGenerators(settings, manifest, {
        generators,
        onRead: (gtin) => site.read.push(gtin),
        isReliable: isKnown && !fromScratch,
        publicFiles,
        isPage: (file) => file.startsWith('page/'),
        // Binary files have another length when decoded as text.
        isThere: (file, bytes) => Buffer.byteLength(files.get(file) ?? '') === (textBytes.get(file) ?? bytes),
        write: (file, bytes) => {
          const text = Buffer.from(bytes).toString();
          files.set(file, text);
          bytesOf.set(file, Uint8Array.from(bytes));
          textBytes.set(file, Buffer.byteLength(text));
          site.written.push(file);
        },
        readPage: (file) => pages[file] ?? files.get(file),
        warn: (message) => void site.warnings.push(message),
      });
      for (const file of updated.gone) files.delete(file);
      isKnown = true;
      return updated;
    },
    close: () => {
      manifest.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return site;
}
