import { handleJobs } from './handle-jobs.ts';
import { runJob, type TextJob } from './text-jobs.ts';

/** Entry point of the worker thread that `run-aside.ts` starts. */
handleJobs((job, args) => runJob(job as TextJob, args));
