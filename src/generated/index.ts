export { makeInThreads } from './generate-in-workers.ts';
export type { OutputAnswer } from './generator-task.ts';
export { makeOutputs } from './generate-files.ts';
export { OUTPUTS } from './generators.ts';
export { updateOutputs } from './update-files.ts';
