export { makeInThreads } from './make-in-threads.ts';
export type { OutputAnswer } from './outputs-task.ts';
export { makeOutputs } from './make-outputs.ts';
export { OUTPUTS } from './outputs.ts';
export { updateOutputs } from './update-outputs.ts';
