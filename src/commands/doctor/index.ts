export { diagnose } from './diagnose.ts';
export type { Finding } from './finding.ts';
export { formatFindings } from './finding.ts';
