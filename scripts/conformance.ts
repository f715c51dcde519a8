import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineCommand } from 'citty';
import { SortimentError } from '#contracts/index.ts';
import { EXIT_FAILED, runCommand } from './cli/index.ts';
import { ROOT } from './cli/load-settings.ts';
import { completeBootstrap } from './complete-bootstrap.ts';

/** Recorded answers of a live server lie beside the project, where there are any. */
const DEFAULT_FOLDER = '../shared/conformance';
const NAMES: string[] = ['stock', 'neutral'];
/** Share of the recorded answers that have to match. One or two hang on the turn of a second. */
const MIN_SHARE = '0.995';

/**
 * Recorded answers that leak information: how many posts there are that the caller may not see, and
 * which logins exist. They are replayed but not compared.
 */
const REVEALING = [
  'posts\\.list\\.status-draft-contributor',
  'posts\\.list\\.status-private-author',
  'posts\\.list\\.status-any-context-edit-(?:author|contributor)',
  'auth-early-lookup\\.unknown-(?:user|email)',
];

await runCommand(
  defineCommand({
    meta: {
      name: 'npm run conformance --',
      description:
        'Replay recorded responses of a live publishing server against the origin and count the matches. ' +
        `The recordings are in ${DEFAULT_FOLDER}; SORTIMENT_CONFORMANCE sets another folder.`,
    },
    args: {
      groups: { type: 'string', valueHint: 'names', description: 'Check only these groups, comma-separated' },
      only: { type: 'string', valueHint: 'regexp', description: 'Run only the checks with these names' },
      min: {
        type: 'string',
        valueHint: 'share',
        default: MIN_SHARE,
        description: 'Share of the checks that must match for exit code 0',
      },
      report: { type: 'string', valueHint: 'file', description: 'Write each check as JSON to this file' },
      verbose: { type: 'boolean', description: 'Verbose output' },
      scenario: { type: 'string', valueHint: 'file', description: 'Recordings to replay' },
      module: { type: 'string', valueHint: 'file', description: 'Serve a further namespace' },
      base: { type: 'string', valueHint: 'address', description: 'Check this running server instead of starting one' },
      users: {
        type: 'string',
        valueHint: 'file',
        description: 'Accounts of the origin; else those of the replay, under the names that the recordings show',
      },
      names: {
        type: 'enum',
        options: NAMES,
        default: 'stock',
        description: 'Namespace names: those of standard servers, as recorded, or our own',
      },
    },
    run: async ({ args }) => {
      process.exitCode = await replay(args);
    },
  }),
);

interface ReplayArguments {
  groups?: string | undefined;
  only?: string | undefined;
  min?: string | undefined;
  report?: string | undefined;
  verbose?: boolean | undefined;
  scenario?: string | undefined;
  module?: string | undefined;
  base?: string | undefined;
  users?: string | undefined;
  names?: string | undefined;
}

async function replay(given: ReplayArguments): Promise<number> {
  const folder = path.resolve(ROOT, process.env['SORTIMENT_CONFORMANCE'] ?? DEFAULT_FOLDER);
  const program = path.join(folder, 'replay.mjs');
  if (!existsSync(program)) {
    throw new SortimentError('CONFORMANCE_MISSING', `There are no recorded answers in ${folder}.`, {
      hint: 'Set SORTIMENT_CONFORMANCE to the folder that holds replay.mjs.',
    });
  }
  // JSONP is off by default for safety's sake, and was on where the answers were recorded.
  const stockNames = given.names === 'stock' ? ' --stock-names' : '';
  const further = given.module === undefined ? '' : ` --module "${path.resolve(given.module)}"`;
  const start = `"${process.execPath}" "${path.join(ROOT, 'scripts/origin.ts')}" --jsonp${stockNames}${further}`;
  const work = mkdtempSync(path.join(tmpdir(), 'conformance-users-'));
  try {
    const users = given.users ?? writeUsers(folder, given.scenario, path.join(work, 'bootstrap.json'));
    const { base, groups, only = `^(?!(?:${REVEALING.join('|')})$)`, min, report, scenario, names, verbose } = given;
    const server = base === undefined ? { start } : { base };
    const options = Object.entries({ ...server, groups, only, min, report, scenario, users, names })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `--${name}=${value}`);
    const words = [program, ...options, ...(verbose ? ['--verbose'] : [])];
    const child = spawn(process.execPath, words, { stdio: 'inherit' });
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? EXIT_FAILED;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A file of the accounts, completed by what the recordings show; undefined where there is none to complete. */
function writeUsers(folder: string, scenarioFile: string | undefined, target: string): string | undefined {
  const scenario = scenarioFile ?? path.join(folder, 'scenario.jsonl');
  const file = path.join(folder, 'bootstrap.json');
  if (!existsSync(file) || !existsSync(scenario)) return undefined;
  writeFileSync(target, completeBootstrap(readFileSync(file, 'utf8'), readFileSync(scenario, 'utf8')));
  return target;
}
