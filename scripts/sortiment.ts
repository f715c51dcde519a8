#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from './cli/command-names.ts';

const USAGE = `Usage: sortiment <command> [options]

Commands: ${COMMANDS.join(', ')}

sortiment <command> --help describes a command. Exit codes: 0 success or nothing to do, 10 changed, 1 failed, 2 wrong
usage, 130 interrupted.
`;

const [name, ...rest] = process.argv.slice(2);
const command = COMMANDS.find((known) => known === name);
if (Number.parseInt(process.versions.node) < 24) {
  process.stderr.write(`Sortiment needs Node 24 or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
} else if (command !== undefined) {
  const script = new URL(import.meta.url.replace(/sortiment(\.[jt]s)$/, `${command}$1`));
  // Commands read their own arguments, and some restart themselves.
  process.argv = [process.execPath, fileURLToPath(script), ...rest];
  await import(script.href);
} else if (name === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  console.log(version);
} else {
  const isHelp = name === '--help' || name === undefined;
  process[isHelp ? 'stdout' : 'stderr'].write(isHelp ? USAGE : `sortiment has no command "${name}".\n\n${USAGE}`);
  process.exitCode = isHelp ? 0 : 2;
}
