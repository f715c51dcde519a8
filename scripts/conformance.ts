import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SortimentError } from '../src/contracts/index.ts';
import { EXIT_FAILED } from './cli/index.ts';
import { ROOT } from './cli/load-settings.ts';
import { completeBootstrap } from './complete-bootstrap.ts';

/** Recorded answers of a live server lie beside the project, where there are any. */
const DEFAULT_FOLDER = '../shared/conformance';
/** Share of the recorded answers that have to match. One or two hang on the turn of a second. */
const MIN_SHARE = '0.995';

/**
 * Recorded answers that tell strangers what is not for them: how many posts there are that the caller may not see, and
 * which logins exist. They are sent and not compared.
 */
const REVEALING = [
  'posts\\.list\\.status-draft-contributor',
  'posts\\.list\\.status-private-author',
  'posts\\.list\\.status-any-context-edit-(?:author|contributor)',
  'auth-early-lookup\\.unknown-(?:user|email)',
];

const HELP = `Replays recorded answers of a live publishing server against the origin, and counts those that match.

USAGE npm run conformance -- [OPTIONS OF THE REPLAY]

  --groups <names>   only these, separated by commas
  --only <regexp>    only checks of these names
  --min <share>      matches that are needed for exit 0 (${MIN_SHARE})
  --report <file>    writes each check as JSON
  --verbose          says what differs
  --scenario <file>  recordings to replay
  --users <file>     accounts of the origin; without it: those of the replay, under the names that the recordings show
  --names neutral    under our own names; without it: under those of stock servers, as they were recorded

The recordings are looked for in ${DEFAULT_FOLDER}; SORTIMENT_CONFORMANCE names another folder.`;

const args = process.argv.slice(2);
if (args.includes('--help')) console.log(HELP);
else process.exitCode = await replay(args);

async function replay(given: readonly string[]): Promise<number> {
  const folder = path.resolve(ROOT, process.env['SORTIMENT_CONFORMANCE'] ?? DEFAULT_FOLDER);
  const program = path.join(folder, 'replay.mjs');
  if (!existsSync(program)) {
    const { message, hint } = new SortimentError('CONFORMANCE_MISSING', `There are no recorded answers in ${folder}.`, {
      hint: 'Set SORTIMENT_CONFORMANCE to the folder that holds replay.mjs.',
    });
    console.error(`${message}\n${hint}`);
    return EXIT_FAILED;
  }
  // JSONP is off by default for safety's sake, and was on where the answers were recorded.
  const isNeutral = given.join('=').includes('--names=neutral');
  const names = given.some((option) => option.startsWith('--names')) ? [] : ['--names', 'stock'];
  const start = `"${process.execPath}" "${path.join(ROOT, 'scripts/origin.ts')}" --jsonp${isNeutral ? '' : ' --stock-names'}`;
  const min = given.includes('--min') ? [] : ['--min', MIN_SHARE];
  const work = mkdtempSync(path.join(tmpdir(), 'conformance-users-'));
  try {
    const users = writeUsers(folder, given, path.join(work, 'bootstrap.json'));
    const only = given.some((option) => option.startsWith('--only'))
      ? []
      : ['--only', `^(?!(?:${REVEALING.join('|')})$)`];
    const options = ['--start', start, ...only, ...min, ...names, ...users, ...given];
    const child = spawn(process.execPath, [program, ...options], { stdio: 'inherit' });
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? EXIT_FAILED;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Options that name the accounts, unless they are given: a file that is completed by what the recordings show. */
function writeUsers(folder: string, given: readonly string[], target: string): string[] {
  const options = { users: { type: 'string' }, scenario: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...given], options, strict: false });
  const scenario = typeof values.scenario === 'string' ? values.scenario : path.join(folder, 'scenario.jsonl');
  const file = path.join(folder, 'bootstrap.json');
  if (values.users !== undefined || !existsSync(file) || !existsSync(scenario)) return [];
  writeFileSync(target, completeBootstrap(readFileSync(file, 'utf8'), readFileSync(scenario, 'utf8')));
  return ['--users', target];
}
