import { handleJobs } from '#origin/platform/render/worker/job-thread.ts';
import { stripLocation } from './strip-location.ts';

/** Entry point of the worker thread that processes large uploads. */
handleJobs((_, [bytes]) => stripLocation(bytes as Uint8Array));
