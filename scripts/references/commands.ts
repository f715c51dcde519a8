import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ArgDef, ArgsDef } from 'citty';
import { captureCommands, EXIT_CHANGED, EXIT_FAILED, EXIT_USAGE, resolve, type AnyCommand } from '../cli/index.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A command or subcommand with its full name, such as `npm run hooks -- list`. */
export interface Command {
  name: string;
  description: string;
  args: ArgsDef;
  commands: Command[];
}

/** Imports every script of package.json, and describes its command. */
export async function readCommands(): Promise<Command[]> {
  const captured = captureCommands();
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const line of Object.values(scripts)) {
    const file = /scripts\/\w+\.ts$/.exec(line)?.[0];
    if (file) await import(path.join(ROOT, file));
  }
  return Promise.all(captured.map((command) => describeCommand(command, '')));
}

async function describeCommand(command: AnyCommand, parent: string): Promise<Command> {
  const { name = '', description = '' } = await resolve(command.meta ?? {});
  const full = `${parent} ${name}`.trim();
  const children = Object.values(await resolve(command.subCommands ?? {}));
  const commands = await Promise.all(children.map(async (child) => describeCommand(await resolve(child), full)));
  return { name: full, description, args: await resolve(command.args ?? {}), commands };
}

function formatCommand({ name, description, args, commands }: Command, depth = 2): string {
  const words = Object.entries(args)
    .filter(([, { type }]) => type === 'positional')
    .map(([key, { required }]) => (required === false ? `[${key}]` : `<${key}>`));
  const title = words.length > 0 ? `${name} ${words.join(' ')}` : name.replace(/ --$/, '');
  const list = Object.entries(args).map(([key, arg]) => `- ${formatArgument(key, arg)}`);
  const parts = [`${'#'.repeat(depth)} ${title}`, `${description.replace(/\.?$/, '.')}`, list.join('\n')];
  return [...parts, ...commands.map((command) => formatCommand(command, 3))].filter(Boolean).join('\n\n');
}

function formatArgument(key: string, arg: ArgDef): string {
  const { type, description = '', default: fallback } = arg;
  const hint = 'valueHint' in arg && arg.valueHint ? arg.valueHint : type;
  const name = type === 'positional' ? key : type === 'boolean' ? `--${key}` : `--${key} <${hint}>`;
  const preset = fallback === undefined ? '' : ` (default: \`${String(fallback)}\`)`;
  return `\`${name}\`: ${description.replaceAll('<', '\\<')}${preset}`;
}

export function formatCommands(commands: Command[]): string {
  return `# Which commands are there?

\`\`\`
npm run sync -- --full
npm run sync -- --help
\`\`\`

All commands take \`--help\` and \`--version\`. Commands with output for scripts take \`--json\`. \`npm test\` runs the fast suite, \`npm run test:slow\` the slow one, and \`npm run soak\` the slow one with larger counts.

## Exit codes

| Code | Meaning |
| --- | --- |
| 0 | Done, or unchanged |
| ${EXIT_CHANGED} | Changed |
| ${EXIT_FAILED} | Failed |
| ${EXIT_USAGE} | Invalid usage |
| 130 | Interrupted by Ctrl+C |

${commands.map((command) => formatCommand(command)).join('\n\n')}
`;
}
