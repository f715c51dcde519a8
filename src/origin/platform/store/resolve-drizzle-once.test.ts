import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as drizzle from 'drizzle-orm';
import { expect, it } from 'vitest';

it('loads the modules that Node would load', async () => {
  const program = `
    import { resolveDrizzleOnce } from './resolve-drizzle-once.ts';
    resolveDrizzleOnce();
    resolveDrizzleOnce();
    const { PgDialect } = await import('drizzle-orm/pg-core');
    const drizzle = await import('drizzle-orm');
    const { sql, params } = new PgDialect().sqlToQuery(drizzle.sql\`select \${1}\`);
    console.log(JSON.stringify({ names: Object.keys(drizzle), sql, params }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
  });
  expect(JSON.parse(stdout)).toEqual({ names: Object.keys(drizzle), sql: 'select $1', params: [1] });
});
