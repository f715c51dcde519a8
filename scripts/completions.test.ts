import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from './cli/command-names.ts';

const SCRIPT = path.join(import.meta.dirname, 'completions.ts');
const run = (shell: string) => execFileSync(process.execPath, [SCRIPT, shell], { encoding: 'utf8' });

let script: string;
beforeAll(() => {
  script = run('bash');
});

/** Completes the last word of a command line in bash. */
function complete(line: string): string[] {
  const words = line.split(' ');
  const completed = execFileSync(
    'bash',
    [
      '--norc',
      '-euc',
      'eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sortiment; echo "${COMPREPLY[*]}"',
      'bash',
      script,
      ...words,
    ],
    { encoding: 'utf8' },
  );
  return completed.trim().split(' ');
}

describe.skipIf(process.platform === 'win32')('bash completes', () => {
  it.each([
    ['sortiment ', [...COMMANDS, '--help', '--version']],
    ['sortiment do', ['doctor']],
    ['sortiment build --s', ['--shard']],
    ['sortiment origin --data x product --', ['--data', '--json', '--help']],
    ['sortiment origin product i', ['import']],
    ['sortiment hooks retry --a', ['--all']],
    ['sortiment completions z', ['zsh']],
  ])('%s', (line, words) => {
    expect(complete(line)).toEqual(words);
  });
});

it('zsh and fish complete the same words', () => {
  expect(run('zsh')).toBe(`autoload -U +X bashcompinit && bashcompinit\n${script}`);
  expect(run('fish')).toContain(`"origin token"' -a 'create list revoke --data --json --help'`);
});

it('names the shells for another word', () => {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, 'constructor'], { encoding: 'utf8' });
  expect(stderr).toContain('Use bash, zsh or fish.');
  expect(status).toBe(2);
});
