import { handleJobs } from './job-thread.ts';
import { runJob, type TextJob } from './text-jobs.ts';

/** Entry point of the worker thread of `text-jobs.ts`. */
handleJobs((job, args) => runJob(job as TextJob, args));
