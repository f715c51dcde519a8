import { expect, it } from 'vitest';
import { hideAstroInfo, applyLogFilter, hidePageCount, hidePageLines } from './astro-log.ts';

type Logger = Parameters<typeof hidePageLines>[0];
type LogEvent = Parameters<Logger['options']['destination']['write']>[0];

function createLogger() {
  const written: string[] = [];
  const destination = { write: ({ message }: LogEvent) => void written.push(message) };
  const logger: Logger = { label: 'sortiment', options: { level: 'info', destination } };
  const write = (level: LogEvent['level'], label: LogEvent['label'], message: string): void =>
    logger.options.destination.write({ level, label, message, newLine: true });
  return { logger, write, written };
}

it('holds back a line for each page, and lets everything else pass', () => {
  const { logger, write, written } = createLogger();
  const restoreLog = hidePageLines(logger);
  write('info', null, '  ├─ de-de/index.html');
  write('info', 'SKIP_FORMAT', ' (+3ms)');
  write('info', 'sortiment', '72 of 4000 pages');
  write('warn', null, 'a warning');
  write('error', 'SKIP_FORMAT', 'an error');
  restoreLog();
  write('info', null, 'after');
  expect(written).toEqual(['72 of 4000 pages', 'a warning', 'an error', 'after']);
});

it('holds back that Astro’s own loop has rendered no page', () => {
  const { logger, write, written } = createLogger();
  hidePageCount(logger);
  write('info', 'sortiment', '170 pages and feeds rendered in 3.1 s');
  write('info', 'build', '0 page(s) built in 4.2s');
  write('info', 'build', '12 page(s) built in 4.2s');
  expect(written).toEqual(['170 pages and feeds rendered in 3.1 s', '12 page(s) built in 4.2s']);
});

it('leaves Astro its word unless a command sums up itself', () => {
  const { logger, write, written } = createLogger();
  applyLogFilter(logger);
  write('info', 'build', 'before');
  hideAstroInfo();
  applyLogFilter(logger);
  write('info', 'build', 'Collecting build info...');
  write('info', 'sortiment', '170 pages');
  write('warn', 'content', 'a warning');
  expect(written).toEqual(['before', '170 pages', 'a warning']);
});
