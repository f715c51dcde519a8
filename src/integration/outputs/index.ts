export { makeInThreads, type OutputAnswer } from './make-in-threads.ts';
export { makeOutputs } from './make-outputs.ts';
export { OUTPUTS } from './outputs.ts';
export { updateOutputs } from './update-outputs.ts';
