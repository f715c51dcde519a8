export { handleJobs } from './handle-jobs.ts';
export { JobThread } from './job-thread.ts';
export { runTextJob } from './run-text-job.ts';
