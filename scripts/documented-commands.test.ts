import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { copyProject, type ProjectCopy } from '#e2e/project-copy.ts';
import { COMMAND_LINES, splitCommandLine } from './fixtures/documented-lines.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const CHANGED = 10;

/** Documented command lines in a working order, with their exit code and a part of their output. */
const RUN: [line: string, code: number, output: RegExp][] = [
  ['npm run origin -- --help', 0, /USAGE/],
  ['npm run sync -- --help', 0, /USAGE/],
  ['npm run sync', CHANGED, /products/],
  ['npm run sync -- --require-snapshot', 0, /unchanged|no change/i],
  ['npm run sync -- --exit-zero', 0, /unchanged|no change/i],
  ['npm run sync -- --full', 0, /unchanged|no change/i],
  ['npm run sync -- --full=publishing', 0, /unchanged|no change/i],
  ['npm run doctor', 0, /GTIN list/],
  ['npm run build', 0, /pages/],
  ['npm run build -- --json', 0, /"pages"/],
  ['npm run build -- --verbose', 0, /pages/],
  ['npm run origin -- product set 9524010000016 --language de-de price=149.90', 0, /price/],
  // An example of contributing.md, which adds this field first.
  ['npm run origin -- product set 9524010000016 --language de-de country_of_origin=DE', 1, /no field/],
  ['npm run origin -- user create anna --email=anna@example.com', 0, /anna/],
  ['npm run hooks', 2, /hooks -- --help/],
  ['npm run hooks -- list', 0, /./],
  ['npm run hooks -- test site --dry-run', 0, /POST/],
  ['npm run hooks -- drain', 0, /./],
  ['npm run hooks -- retry --all', 0, /./],
  ['npm run announce', 1, /indexNow/],
  ['npm run strings', 0, /complete/],
  ['npm run strings -- add sv', 0, /content\/strings\/sv\.json/],
];

/** Test files that run other documented commands, which serve, take long, or need another server. */
const ELSEWHERE: Record<string, string> = {
  'npm start': 'scripts/commands.test.ts',
  'npm run dev': 'src/build/dev/overlay.test.ts',
  'npm run dev -- --drafts': 'src/build/dev/drafts.test.ts',
  'npm run serve': 'scripts/commands.test.ts',
  'npm run watch': 'scripts/watch.test.ts',
  'npm run origin': 'scripts/origin.test.ts',
  'npm run origin -- import': 'src/commands/import/import-site.test.ts',
  'npm run origin -- backup': 'scripts/backup-origin.test.ts',
  'npm run origin -- restore': 'scripts/backup-origin.test.ts',
  'npm run origin -- product fetch': 'src/commands/import/import-products.test.ts',
  'npm run build -- --shard': 'src/build/prerender.test.ts',
  'npm run build -- merge': 'src/build/prerender.test.ts',
  'npm run conformance': 'scripts/conformance.test.ts',
  'npm run check': 'src/types.test.ts',
  'npm run package': 'scripts/packages/packages.test.ts',
  'npm run docs': 'scripts/docs.test.ts',
};

/** Command lines that run tests or benchmarks. */
const MEASURES = /^npm (?:test|run (?:test|test:slow|soak|bench))\b/;

let project: ProjectCopy;
beforeAll(async () => {
  project = await copyProject();
  await project.configure({ hooks: [{ name: 'site', type: 'generic', urlEnv: 'SORTIMENT_HOOK_URL' }] });
});
afterAll(() => project.remove());

it('every documented command line is run by a test', () => {
  const run = new Set(RUN.map(([line]) => line));
  const isRun = (line: string): boolean =>
    run.has(line) ||
    MEASURES.test(line) ||
    Object.keys(ELSEWHERE).some((start) => line === start || line.startsWith(`${start} `));
  expect(COMMAND_LINES.map(({ line }) => line).filter((line) => !isRun(line))).toEqual([]);
  for (const file of Object.values(ELSEWHERE))
    expect(existsSync(path.resolve(import.meta.dirname, '..', file)), file).toBe(true);
});

it.each(RUN)('%s', async (line, code, output) => {
  const { name, words } = splitCommandLine(line);
  const ended = await project.run(name, words, {
    SORTIMENT_HOOK_URL: 'http://127.0.0.1:9/',
    SORTIMENT_HOOK_SECRET: `whsec_${'c2Vj'.repeat(8)}`,
  });
  expect(ended.code, ended.stdout + ended.stderr).toBe(code);
  expect(ended.stdout + ended.stderr).toMatch(output);
});
