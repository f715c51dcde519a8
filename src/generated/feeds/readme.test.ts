import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { describeColumns } from './describe-columns.ts';

/** Prettier pads the cells of tables. */
const bare = (table: string) => table.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---').trim();

it('documents every column as the schema has it', () => {
  const readme = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8');
  const table = readme.split('<!-- columns -->')[1]?.split('<!-- /columns -->')[0] ?? '';
  expect(bare(table)).toBe(bare(describeColumns()));
});
