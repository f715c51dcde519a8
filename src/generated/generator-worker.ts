import { workerData } from 'node:worker_threads';
import { useBase } from '#catalogue/addresses/base.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { openReaders } from '#product-index/product-readers.ts';
import { openMemoryManifest } from './generated-manifest.ts';
import { joinPageWriter } from '#files/page-writer.ts';
import { readPage } from '#files/built-files.ts';
import { takeOrders } from '#workers/worker-thread.ts';
import type { OutputAnswer, OutputsTask } from './generator-task.ts';
import { LARGE_OUTPUTS } from './generators.ts';
import { updateOutputs } from './update-files.ts';

/** A thread that makes outputs: is sent their names, and answers with what it has put into the site. */
const { task, number } = workerData as { task: OutputsTask; number: number };
const { settings, digest, publicFiles } = task;
useBase(settings.base);

const products = openReaders(settings);
const host = {
  listing: products.listing(),
  readProduct: products.readProduct,
  snapshot: openSnapshot(settings.snapshotPath, { readOnly: true }),
  digest,
};
const writer = joinPageWriter(settings.distFolder, `beside-${number}`);

takeOrders<string, OutputAnswer>((names) =>
  Promise.all(LARGE_OUTPUTS.filter(({ name }) => names.includes(name)).map(makeOutput)),
);

async function makeOutput(output: (typeof LARGE_OUTPUTS)[number]): Promise<OutputAnswer> {
  const ledger = openMemoryManifest();
  const warnings: string[] = [];
  await updateOutputs(settings, {
    outputs: [output],
    host,
    ledger,
    isReliable: false,
    changes: undefined,
    publicFiles,
    // Whoever takes the files over looks at that.
    isPage: () => false,
    isThere: () => false,
    write: (file, bytes) => void writer.write(file, bytes),
    readPage: (file) => readPage(settings.distFolder, file),
    warn: (message) => warnings.push(message),
  });
  const files = ledger.entriesOf(output.name);
  ledger.close();
  return { output: output.name, files, warnings };
}
