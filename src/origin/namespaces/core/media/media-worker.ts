import { answerJobs } from '#origin/platform/render/aside/index.ts';
import { withoutPosition } from './without-position.ts';

/** The thread that works on large uploads. `blank-position.ts` starts it. */
answerJobs((_, [bytes]) => withoutPosition(bytes as Uint8Array));
