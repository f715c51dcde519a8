export { generateInWorkers } from './generate-in-workers.ts';
export type { GeneratorResult } from './generator-task.ts';
export { generateFiles } from './generate-files.ts';
export { GENERATORS } from './generators.ts';
export { updateGeneratedFiles } from './update-files.ts';
