import { workerData } from 'node:worker_threads';
import { useBase } from '#catalogue/addresses/base.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { openReaders } from '../prerender/open-catalogue-host.ts';
import { openLedger } from '../prerender/page-ledger.ts';
import { joinPageWriter } from '../prerender/page-writer.ts';
import { readPage } from '../prerender/read-page.ts';
import { takeOrders } from '../threads/take-orders.ts';
import type { OutputAnswer, OutputsTask } from './outputs-task.ts';
import { LARGE_OUTPUTS } from './outputs.ts';
import { updateOutputs } from './update-outputs.ts';

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
  const ledger = openLedger(':memory:');
  const warnings: string[] = [];
  ledger.change();
  await updateOutputs(settings, {
    outputs: [output],
    host,
    ledger: ledger.outputs,
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
  const files = ledger.outputs.entriesOf(output.name);
  ledger.close();
  return { output: output.name, files, warnings };
}
