import { answerJobs } from './answer-jobs.ts';
import { runJob, type TextJob } from './text-jobs.ts';

/** The thread that works on long texts. `run-aside.ts` starts it. */
answerJobs((job, args) => runJob(job as TextJob, args));
