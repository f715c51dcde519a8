import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ArgDef } from 'citty';
import { describeCommand, EXIT_CHANGED, EXIT_FAILED, EXIT_USAGE, type AnyCommand, type Command } from '../cli/index.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Imports every script of package.json, and describes its command. */
export async function readCommands(): Promise<Command[]> {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const files = Object.values(scripts).flatMap((line) => /scripts\/\w+\.ts$/.exec(line)?.[0] ?? []);
  return Promise.all(
    files.map(async (file) => {
      const { default: command } = (await import(path.join(ROOT, file))) as { default: AnyCommand };
      return describeCommand(command);
    }),
  );
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
