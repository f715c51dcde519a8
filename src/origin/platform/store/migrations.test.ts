import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateDrizzleJson, generateMigration } from './testing/drizzle-kit.ts';
import { expect, test } from 'vitest';
import { MIGRATIONS_FOLDER } from './apply-migrations.ts';
import * as schema from './schema.ts';

test('the migrations lead to what schema.ts says', async () => {
  const meta = join(MIGRATIONS_FOLDER, 'meta');
  const latest =
    readdirSync(meta)
      .filter((name) => name.endsWith('_snapshot.json'))
      .toSorted()
      .at(-1) ?? '';
  const snapshot = JSON.parse(readFileSync(join(meta, latest), 'utf8')) as Parameters<typeof generateMigration>[0];
  const missing = await generateMigration(snapshot, generateDrizzleJson(schema, snapshot.id));
  expect(missing, 'Run: npx drizzle-kit generate --config src/origin/platform/store/drizzle.config.ts').toEqual([]);
});
