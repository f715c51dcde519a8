import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineCommand } from 'citty';
import { EXIT_FAILED, runCommand, UsageError } from './cli/index.ts';
import { ROOT } from './cli/load-settings.ts';

/** Checks modules, pages and components. Its language server is large, so it is installed with the audit tools. */
const ASTRO_CHECK = path.join(ROOT, '.config/audit/node_modules/.bin/astro-check');

const TOOLS: Record<string, string[]> = {
  [ASTRO_CHECK]: ['--root', ROOT, '--minimumFailingSeverity', 'warning'],
  oxlint: ['--config', '.config/oxlintrc.json'],
  prettier: ['--check', '.', '!content/demo', '!src/origin/platform/store/migrations', '!package-lock.json'],
};

/** The tools look up `node` in PATH: it must be the running one. */
const PATH = [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter);

await runCommand(
  defineCommand({
    meta: {
      name: 'npm run check --',
      description: 'Check types, lint and formatting. Exits with 1 if something is wrong.',
    },
    args: { json: { type: 'boolean', description: 'Print the result of each tool as JSON' } },
    run: async ({ args }) => {
      if (!existsSync(ASTRO_CHECK))
        throw new UsageError('The type checker is not installed.', 'Run: npm ci --prefix .config/audit');
      const results: Record<string, boolean> = {};
      for (const [tool, toolArgs] of Object.entries(TOOLS))
        results[path.basename(tool)] = await run(tool, toolArgs, Boolean(args.json));
      const failed = Object.keys(results).filter((tool) => !results[tool]);
      if (args.json) console.log(JSON.stringify(results));
      else console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
      if (failed.length > 0) process.exitCode = EXIT_FAILED;
    },
  }),
);

function run(tool: string, toolArgs: string[], quiet: boolean): Promise<boolean> {
  const child = spawn(path.resolve(ROOT, 'node_modules/.bin', tool), toolArgs, {
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
