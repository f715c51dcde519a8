import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '#origin/platform/store/open-store.ts';
import { startTestPostgres } from '#origin/platform/store/testing/start-test-postgres.ts';

/**
 * Starts one PostgreSQL for a whole test run if `SORTIMENT_TEST_DATABASE` is `postgres`. Tests find an empty, migrated
 * template database in `SORTIMENT_TEST_POSTGRES`.
 */
export default async function serveTestPostgres(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const wanted = project.config.env?.['SORTIMENT_TEST_DATABASE'] ?? process.env['SORTIMENT_TEST_DATABASE'];
  if (wanted !== 'postgres' || process.env['SORTIMENT_TEST_POSTGRES'] !== undefined) return undefined;
  const postgres = await startTestPostgres();
  if (!postgres) return undefined;
  const template = await postgres.createDatabase('empty');
  const folder = await mkdtemp(join(tmpdir(), 'sortiment-test-'));
  await (await openPostgres(template, folder)).close();
  await rm(folder, { recursive: true });
  process.env['SORTIMENT_TEST_POSTGRES'] = template;
  return async () => {
    delete process.env['SORTIMENT_TEST_POSTGRES'];
    await postgres.stop();
  };
}
