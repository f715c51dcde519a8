import { answerJobs } from './answer-jobs.ts';
import { runJob, type TextJob } from './text-jobs.ts';

/** Entry point of the worker thread that `run-aside.ts` starts. */
answerJobs((job, args) => runJob(job as TextJob, args));
