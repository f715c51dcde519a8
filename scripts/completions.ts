import { COMMANDS } from './cli/command-names.ts';
import { describeCommand, runScript, UsageError, type AnyCommand, type Command } from './cli/index.ts';

/** Words that may follow the start of a command line such as `origin product`. */
type Completions = Map<string, string[]>;

/** Scripts of a shell, without the name of the command that they complete. */
const SHELLS: Record<string, (completions: Completions) => string> = {
  bash: (completions) => `${bashFunction(completions)}complete -o default -F _sortiment sortiment\n`,
  zsh: (completions) => `autoload -U +X bashcompinit && bashcompinit\n${SHELLS['bash']?.(completions)}`,
  fish: (completions) =>
    [
      'function __sortiment_path',
      '  set -l path',
      '  for word in (commandline -opc)[2..-1]',
      `    contains -- (string join ' ' $path $word) ${pathsOf(completions)}; and set -a path $word`,
      '  end',
      "  string join ' ' $path",
      'end',
      ...Array.from(
        completions,
        ([path, words]) => `complete -c sortiment -n 'test "$(__sortiment_path)" = "${path}"' -a '${words.join(' ')}'`,
      ),
      '',
    ].join('\n'),
};

function bashFunction(completions: Completions): string {
  return [
    '_sortiment() {',
    '  local word path= words=',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    `    case "\${path:+$path }$word" in ${pathsOf(completions).replaceAll("' '", "' | '")}) path="\${path:+$path }$word" ;; esac`,
    '  done',
    '  case "$path" in',
    ...Array.from(completions, ([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`),
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    '',
  ].join('\n');
}

function pathsOf(completions: Completions): string {
  return [...completions.keys()].flatMap((path) => (path === '' ? [] : `'${path}'`)).join(' ');
}

async function collectCompletions(): Promise<Completions> {
  const completions: Completions = new Map([['', [...COMMANDS, '--help', '--version']]]);
  for (const name of COMMANDS) {
    if (name === 'completions') continue;
    const script = new URL(import.meta.url.replace(/completions(\.[jt]s)$/, `${name}$1`));
    const { default: command } = (await import(script.href)) as { default: AnyCommand };
    addCommand(completions, name, await describeCommand(command));
  }
  completions.set('completions', [...Object.keys(SHELLS), '--help']);
  return completions;
}

function addCommand(completions: Completions, path: string, { args, commands }: Command): void {
  const names = commands.map(({ name }) => name.split(' ').at(-1) ?? '');
  const options = Object.entries(args).flatMap(([name, { type }]) => (type === 'positional' ? [] : `--${name}`));
  completions.set(path, [...names, ...options, '--help']);
  for (const [i, command] of commands.entries()) addCommand(completions, `${path} ${names[i]}`, command);
}

export default await runScript(import.meta, {
  meta: {
    name: 'npm run completions --',
    description: 'Print a script that completes the command `sortiment` in a shell',
  },
  args: { shell: { type: 'positional', required: true, description: Object.keys(SHELLS).join(', ') } },
  run: async ({ args }) => {
    const render = Object.hasOwn(SHELLS, args.shell) ? SHELLS[args.shell] : undefined;
    if (!render) throw new UsageError(`There are no completions for "${args.shell}".`, 'Use bash, zsh or fish.');
    process.stdout.write(render(await collectCompletions()));
  },
});
