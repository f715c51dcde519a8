import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import type { Settings } from '#config/index.ts';
import type { SyncLogger } from '../sync-options.ts';
import { reportFolder } from './write-report.ts';

/** Copies the last reports to another folder, such as one that a CI job keeps. Never throws, as writing doesn't. */
export async function copyReport(
  settings: Pick<Settings, 'home'>,
  folder: string,
  { logger }: { logger: Pick<SyncLogger, 'warn'> },
): Promise<void> {
  const source = reportFolder(settings);
  if (!existsSync(source)) return;
  try {
    await cp(source, folder, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unexpected error';
    logger.warn(`The report could not be copied to ${folder}: ${code}.`);
  }
}
