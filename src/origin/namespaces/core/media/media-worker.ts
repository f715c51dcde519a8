import { handleJobs } from '#origin/platform/render/worker/index.ts';
import { withoutPosition } from './without-position.ts';

/** The thread that works on large uploads. `blank-position.ts` starts it. */
handleJobs((_, [bytes]) => withoutPosition(bytes as Uint8Array));
