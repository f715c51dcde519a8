import { workerData } from 'node:worker_threads';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import type { Settings } from '#config/index.ts';
import { openUpdatedReaders } from './product-readers.ts';

/** Updates the product index in a worker thread, then exits. */
const settings = workerData as Settings;
setBasePath(settings.base);
openUpdatedReaders(settings).close();
