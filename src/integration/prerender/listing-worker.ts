import { workerData } from 'node:worker_threads';
import type { Settings } from '../../config/index.ts';
import { openBuildHost } from './open-catalogue-host.ts';

/** A thread that brings the listing up to date, and ends. */
openBuildHost(workerData as Settings).close();
