export { generateInWorkers } from './generate-in-workers.ts';
export type { GeneratorResult } from './generator-task.ts';
export { GENERATORS } from './generators.ts';
export { startGeneratedFiles, type GeneratedFiles } from './update-files.ts';
