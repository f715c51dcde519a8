import { composeSections } from './compose-sections.ts';
import type { ReportDocument, ReportSection, ReportTable } from './report-document.ts';
import { summariseRun } from './summarise-run.ts';

/** Renders the report as Markdown with tables, as used in job summaries and issues of Git hosts. */
export function renderMarkdown(document: ReportDocument): string {
  const { site, outcome, error, run } = document;
  const lines = [
    `# Sync of ${escapeText(site)}: ${outcome}`,
    `${run.startedAt}${error ? ` · ${escapeText(error.code)}` : ''}`,
    ...(outcome === 'failed' ? [] : [escapeText(summariseRun(run))]),
    ...composeSections(document).map(renderSection),
  ];
  return `${lines.join('\n\n')}\n`;
}

function renderSection({ title, tone, paragraphs, table }: ReportSection): string {
  const mark = tone === 'alarm' ? '⚠️ ' : '';
  const quote = tone === 'alarm' ? '> ' : '';
  return [
    `## ${mark}${title}`,
    ...paragraphs.map((text) => `${quote}${escapeText(text)}`),
    ...(table ? [renderTable(table)] : []),
  ].join('\n\n');
}

function renderTable({ head, rows, omitted }: ReportTable): string {
  const isNumber = head.map((_, i) => rows.every((row) => typeof row[i] === 'number'));
  const lines = [
    rowOf(head),
    rowOf(isNumber.map((number) => (number ? '---:' : '---'))),
    ...rows.map((row) => rowOf(row.map((cell) => escapeText(String(cell))))),
  ];
  if (omitted > 0) lines.push('', `… and ${omitted} more; report.json lists them.`);
  return lines.join('\n');
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Escapes text and puts it on one line, so that it can't end a cell or create markup. */
function escapeText(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .replace(/[\\`*_[\]|~$#]|^\s*[-+]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .trim();
}
