import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { SortimentError } from '../src/contracts/index.ts';
import { EXIT_FAILED } from './cli/index.ts';
import { ROOT } from './cli/load-settings.ts';

/** Recorded answers of a live server lie beside the project, where there are any. */
const DEFAULT_FOLDER = '../shared/conformance';
/** Share of the recorded answers that have to match. */
const MIN_SHARE = '0.98';

const HELP = `Replays recorded answers of a live publishing server against the origin, and counts those that match.

USAGE npm run conformance -- [OPTIONS OF THE REPLAY]

  --groups <names>   only these, separated by commas
  --only <regexp>    only checks of these names
  --min <share>      matches that are needed for exit 0 (${MIN_SHARE})
  --report <file>    writes each check as JSON
  --verbose          says what differs

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
  const start = `"${process.execPath}" "${path.join(ROOT, 'scripts/origin.ts')}"`;
  const min = given.includes('--min') ? [] : ['--min', MIN_SHARE];
  const child = spawn(process.execPath, [program, '--start', start, ...min, ...given], { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? EXIT_FAILED;
}
