import { styleText } from 'node:util';
import { getErrorMessage, isSortimentError } from '#contracts/index.ts';

/** Result of a check. */
export interface Finding {
  /** Name of the check: one or two words. */
  check: string;
  /** `skip`: not applicable, or prevented by an earlier finding. */
  status: 'ok' | 'warn' | 'fail' | 'skip';
  message: string;
  /** Advice, for `warn` and `fail`. */
  hint?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
export const skip = (check: string, message: string): Finding => ({ check, status: 'skip', message });
const advise =
  (status: 'warn' | 'fail') =>
  (check: string, message: string, hint: string): Finding => ({ check, status, message, hint });
export const warn = advise('warn');
export const fail = advise('fail');

export function toFailure(check: string, error: unknown): Finding {
  if (isSortimentError(error)) return fail(check, error.message, error.hint ?? '');
  return fail(check, getErrorMessage(error), 'Set SORTIMENT_DEBUG=1 to see more.');
}

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'gray' } as const;

/** Formats findings as a table of status, check and message, with hints below and a final summary. */
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
  const summary = `${count('ok')} passed, ${count('warn')} warnings, ${failed} failed`;
  return [...rows, '', paint(failed > 0 ? 'fail' : count('warn') > 0 ? 'warn' : 'ok', summary)].join('\n');
}
