import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ArgsDef, ParsedArgs } from 'citty';
import { SortimentError } from '#contracts/sortiment-error.ts';
import { EXIT_FAILED, runScript } from './cli/index.ts';
import { ROOT } from './cli/load-settings.ts';

/** Default folder of recorded responses, which are optional. */
const DEFAULT_FOLDER = '../shared/conformance';

/** Recordings that are replayed by default, with the share of checks that must match. */
const SCENARIOS = [
  // One or two depend on the turn of a second.
  { file: 'scenario.jsonl', min: '0.995' },
  { file: 'extensions.scenario.jsonl', min: '0.98' },
];

/** Recorded responses that are replayed but not compared; content/docs/interface-deviations.md has the reasons. */
const NOT_COMPARED = [
  // They reveal the number of posts hidden from the caller, and existing logins.
  'posts\\.list\\.status-draft-contributor',
  'posts\\.list\\.status-private-author',
  'posts\\.list\\.status-any-context-edit-(?:author|contributor)',
  'episode_pages\\.list-any-author',
  'auth-early-lookup\\.unknown-(?:user|email)',
  // The interface document paginates icons, and has no capital letters in player IDs.
  'icons\\.list-per_page-2',
  'player_admin\\.read-after-delete',
  // The server of the core recordings had no podcast.
  'index\\.root-fields-namespaces',
  'other\\.taxonomies',
  // They show the results of a duration of 1:60, which is rejected here, and of a category that was not stored there.
  'episode_update\\.read-(?:soundbite|undeclared|ext-webhook|v1-after)',
  'podcast_record\\.slash',
];

const ARGUMENTS = {
  groups: { type: 'string', valueHint: 'names', description: 'Check only these groups, comma-separated' },
  only: { type: 'string', valueHint: 'regexp', description: 'Run only the checks with these names' },
  min: {
    type: 'string',
    valueHint: 'share',
    description: 'Share of the checks that must match for exit code 0. Default: 0.995, for extensions 0.98',
  },
  report: { type: 'string', valueHint: 'file', description: 'Write each check as JSON to this file' },
  verbose: { type: 'boolean', description: 'Verbose output' },
  scenario: { type: 'string', valueHint: 'file', description: 'Recordings to replay. Default: all' },
  module: { type: 'string', valueHint: 'file', description: 'Serve a further namespace' },
  base: { type: 'string', valueHint: 'address', description: 'Check this running server instead of starting one' },
  users: {
    type: 'string',
    valueHint: 'file',
    description: 'Accounts of the origin; else those of the replay, under the names that the recordings show',
  },
  names: {
    type: 'enum',
    options: ['stock', 'neutral'],
    default: 'stock',
    description: 'Namespace names: those of standard servers, as recorded, or our own',
  },
} satisfies ArgsDef;

export default await runScript(import.meta, {
  meta: {
    name: 'npm run conformance --',
    description:
      'Replay recorded responses of a live publishing server against the origin and count the matches. ' +
      `The recordings are in ${DEFAULT_FOLDER}; SORTIMENT_CONFORMANCE sets another folder.`,
  },
  args: ARGUMENTS,
  run: async ({ args }) => {
    process.exitCode = await replay(args);
  },
});

type Arguments = ParsedArgs<typeof ARGUMENTS>;

async function replay(args: Arguments): Promise<number> {
  const folder = path.resolve(ROOT, process.env['SORTIMENT_CONFORMANCE'] ?? DEFAULT_FOLDER);
  const program = path.join(folder, 'replay.mjs');
  if (!existsSync(program)) {
    throw new SortimentError('CONFORMANCE_MISSING', `There are no recorded responses in ${folder}.`, {
      hint: 'Set SORTIMENT_CONFORMANCE to the folder that holds replay.mjs.',
    });
  }
  const scenarios = findScenarios(folder, args);
  if (scenarios.length === 0) {
    throw new SortimentError('CONFORMANCE_NO_GROUP', `No recordings have the groups ${args.groups}.`, {
      hint: 'Run it without --groups to list them all.',
    });
  }
  const work = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  try {
    const codes: number[] = [];
    const reports: unknown[] = [];
    for (const { file, min, groups } of scenarios) {
      const report = path.join(work, 'report.json');
      const users = args.users ?? (await writeUsers(folder, file, work));
      const options = { scenario: file, min, groups: groups.join(','), report, users };
      codes.push(await replayScenario(program, args, options));
      if (existsSync(report)) reports.push(...(JSON.parse(readFileSync(report, 'utf8')) as unknown[]));
    }
    if (args.report !== undefined) writeFileSync(args.report, JSON.stringify(reports, undefined, 1));
    return Math.max(...codes);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Finds the recordings with selected groups. */
function findScenarios(folder: string, { scenario, groups, min }: Arguments) {
  const files = scenario === undefined ? SCENARIOS : [{ file: path.resolve(scenario), min: SCENARIOS[0]?.min }];
  const selected = groups?.split(',');
  return files
    .map(({ file, min: defaultMin }) => ({ file: path.resolve(folder, file), min: min ?? defaultMin }))
    .filter(({ file }) => existsSync(file))
    .map((one) => ({ ...one, groups: readGroups(one.file).filter((name) => selected?.includes(name) ?? true) }))
    .filter((one) => one.groups.length > 0);
}

function readGroups(file: string): string[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const groups = lines.map((line) => (JSON.parse(line) as { group: string }).group);
  return [...new Set(groups)].filter((name) => name !== 'seed');
}

async function replayScenario(
  program: string,
  { base, only = `^(?!(?:${NOT_COMPARED.join('|')})$)`, names, module, verbose }: Arguments,
  options: Record<string, string | undefined>,
): Promise<number> {
  // JSONP is disabled by default for security, but was enabled on the recorded server.
  const stockNames = names === 'stock' ? ' --stock-names' : '';
  const further = module === undefined ? '' : ` --module "${path.resolve(module)}"`;
  const start = `"${process.execPath}" "${path.join(ROOT, 'scripts/origin.ts')}" --jsonp${stockNames}${further}`;
  const server = base === undefined ? { start } : { base };
  const childOptions = Object.entries({ ...server, ...options, only, names })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--${name}=${value}`);
  const childArgs = [program, ...childOptions, ...(verbose ? ['--verbose'] : [])];
  const child = spawn(process.execPath, childArgs, { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? EXIT_FAILED;
}

/** Writes the accounts, completed from the recordings; undefined if there is no file to complete. */
async function writeUsers(folder: string, scenario: string, work: string): Promise<string | undefined> {
  const file = path.join(folder, 'bootstrap.json');
  if (!existsSync(file)) return undefined;
  const { completeBootstrap } = await import('./complete-bootstrap.ts');
  const target = path.join(work, 'bootstrap.json');
  writeFileSync(target, completeBootstrap(readFileSync(file, 'utf8'), readFileSync(scenario, 'utf8')));
  return target;
}
