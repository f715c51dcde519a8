import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AUDIT_FOLDER } from '#files/testing/audit-tools.ts';
import { EXIT_FAILED, runScript, UsageError } from './cli/index.ts';
import { ROOT } from './cli/load-settings.ts';

/** The tools are large, so they are installed with the audit tools. Prettier itself is at hand for editors. */
const AUDIT = path.join(AUDIT_FOLDER, 'node_modules');

const TOOLS: Record<string, string[]> = {
  [path.join(AUDIT, '.bin/astro-check')]: ['--root', ROOT, '--minimumFailingSeverity', 'warning'],
  [path.join(AUDIT, '.bin/oxlint')]: ['--config', '.config/oxlintrc.json'],
  [path.join(ROOT, 'node_modules/.bin/prettier')]: [
    `--plugin=${path.join(AUDIT, 'prettier-plugin-astro/dist/index.js')}`,
    '--check',
    '.',
    '!content/demo',
    '!src/origin/platform/store/migrations',
    '!package-lock.json',
  ],
};

/** The tools look up `node` in PATH: it must be the running one. */
const PATH = [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter);

export default await runScript(import.meta, {
  meta: {
    name: 'npm run check --',
    description: 'Check types, lint and formatting. Exits with 1 if something is wrong.',
  },
  args: { json: { type: 'boolean', description: 'Print the result of each tool as JSON' } },
  run: async ({ args }) => {
    if (!existsSync(AUDIT)) throw new UsageError('The tools are not installed.', 'Run: npm ci --prefix .config/audit');
    const results: Record<string, boolean> = {};
    for (const [tool, toolArgs] of Object.entries(TOOLS))
      results[path.basename(tool)] = await run(tool, toolArgs, Boolean(args.json));
    const failed = Object.keys(results).filter((tool) => !results[tool]);
    if (args.json) console.log(JSON.stringify(results));
    else console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
    if (failed.length > 0) process.exitCode = EXIT_FAILED;
  },
});

function run(tool: string, toolArgs: string[], quiet: boolean): Promise<boolean> {
  const child = spawn(tool, toolArgs, {
    cwd: ROOT,
    env: { ...process.env, PATH },
    stdio: quiet ? 'ignore' : 'inherit',
    shell: process.platform === 'win32',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
}
