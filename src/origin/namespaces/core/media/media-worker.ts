import { handleJobs } from '#origin/platform/render/worker/index.ts';
import { withoutPosition } from './without-position.ts';

/** Entry point of the worker thread that processes large uploads. */
handleJobs((_, [bytes]) => withoutPosition(bytes as Uint8Array));
