import { styleText } from 'node:util';
import type { Finding } from './finding.ts';

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'gray' } as const;

/** A table: state, what was checked, what was found; hints below. One line at the end sums up. */
export function formatFindings(findings: readonly Finding[], { colours }: { colours: boolean }): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const paint = (status: Finding['status'], text: string): string =>
    colours ? styleText(COLOURS[status], text, { validateStream: false }) : text;
  const indent = ' '.repeat(6 + width + 2);
  const rows = findings.flatMap(({ check, status, message, hint }) => [
    `${paint(status, status.padEnd(4))}  ${check.padEnd(width)}  ${message.replaceAll('\n', `\n${indent}`)}`,
    ...(hint ? [`${indent}-> ${hint.replaceAll('\n', `\n${indent}   `)}`] : []),
  ]);
  const count = (status: Finding['status']): number => findings.filter((finding) => finding.status === status).length;
  const failed = count('fail');
  const summary = `${count('ok')} fine, ${count('warn')} to look at, ${failed} wrong`;
  return [...rows, '', paint(failed > 0 ? 'fail' : count('warn') > 0 ? 'warn' : 'ok', summary)].join('\n');
}
