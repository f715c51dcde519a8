import { workerData } from 'node:worker_threads';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { openReaders } from '#catalogue/read-model/product-readers.ts';
import { readOverlays } from '#catalogue/read-model/read-overlays.ts';
import { openMemoryManifest } from './generated-manifest.ts';
import { joinPageWriter } from '#files/page-writer.ts';
import { readPage } from '#files/built-files.ts';
import { processBatches } from '#files/worker-thread.ts';
import type { GeneratorResult, GeneratorTask } from './generator-task.ts';
import { LARGE_GENERATORS } from './generators.ts';
import { updateGeneratedFiles } from './update-files.ts';

/** Worker thread that runs generators. Receives their names and returns the written files. */
const { task, number } = workerData as { task: GeneratorTask; number: number };
const { settings, digest, publicFiles } = task;
setBasePath(settings.base);

const products = openReaders(settings);
const host = {
  productIndex: products.productIndex(),
  readProduct: products.readProduct,
  snapshot: openSnapshot(settings.snapshotPath, { readOnly: true }),
  digest,
  overlays: () => readOverlays(settings.root),
};
const writer = joinPageWriter(settings.distFolder, `beside-${number}`);

processBatches<string, GeneratorResult>((names) =>
  Promise.all(LARGE_GENERATORS.filter(({ name }) => names.includes(name)).map(runGenerator)),
);

async function runGenerator(generator: (typeof LARGE_GENERATORS)[number]): Promise<GeneratorResult> {
  const manifest = openMemoryManifest();
  const warnings: string[] = [];
  await updateGeneratedFiles(settings, {
    generators: [generator],
    host,
    manifest,
    isReliable: false,
    changes: undefined,
    publicFiles,
    // Checked when the main thread adopts the files.
    isPage: () => false,
    isThere: () => false,
    write: (file, bytes) => void writer.write(file, bytes),
    readPage: (file) => readPage(settings.distFolder, file),
    warn: (message) => warnings.push(message),
  });
  const files = manifest.entriesOf(generator.name);
  manifest.close();
  return { generator: generator.name, files, warnings };
}
