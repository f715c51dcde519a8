export { collectIssues, type Issue, type IssueCollection } from './collect-issues.ts';
export { copyReport } from './write-report.ts';
export { formatReport, describeUnused } from './format-report.ts';
export type { RunResult } from './report-document.ts';
export { COMPLETENESS_NAME, reportFolder, writeReport } from './write-report.ts';
