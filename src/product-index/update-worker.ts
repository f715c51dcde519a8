import { workerData } from 'node:worker_threads';
import { useBase } from '#catalogue/addresses/base.ts';
import type { Settings } from '#config/index.ts';
import { openUpdatedReaders } from './product-readers.ts';

/** A thread that brings the product index up to date, and ends. */
const settings = workerData as Settings;
useBase(settings.base);
openUpdatedReaders(settings).close();
