import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadAuditTool } from '#files/testing/audit-tools.ts';
import { MIGRATIONS_FOLDER } from './apply-migrations.ts';
import * as schema from './schema.ts';

test('the migrations create the tables of schema.ts', async () => {
  const { generateDrizzleJson, generateMigration } = loadAuditTool<typeof import('drizzle-kit/api')>('drizzle-kit/api');
  // drizzle-kit adds a method `random` to all arrays, which breaks other libraries.
  Reflect.deleteProperty(Array.prototype, 'random');
  const meta = join(MIGRATIONS_FOLDER, 'meta');
  const latest =
    readdirSync(meta)
      .filter((name) => name.endsWith('_snapshot.json'))
      .toSorted()
      .at(-1) ?? '';
  const snapshot = JSON.parse(readFileSync(join(meta, latest), 'utf8')) as Parameters<typeof generateMigration>[0];
  const missing = await generateMigration(snapshot, generateDrizzleJson(schema, snapshot.id));
  expect(
    missing,
    'Run: .config/audit/node_modules/.bin/drizzle-kit generate --config src/origin/platform/store/drizzle.config.ts',
  ).toEqual([]);
});
