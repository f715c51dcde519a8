export { answerJobs } from './answer-jobs.ts';
export { JobThread } from './job-thread.ts';
export { runAside } from './run-aside.ts';
