import { enableCompileCache } from 'node:module';
import { stripVTControlCharacters } from 'node:util';
import { renderUsage, runCommand as runParsed, type ArgsDef, type SubCommandsDef } from 'citty';
import { messageOf, isSortimentError } from '#contracts/port-error.ts';
import { wordSystemError } from '#contracts/system-error.ts';
import { nearestWord } from './nearest-word.ts';
import { checkArguments, readArguments, suggest } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

/** 128 and the number of SIGINT, as shells and other programs have it. */
const EXIT_INTERRUPTED = 130;

/** Something is different from before: a command that brings things over ends so, to start what depends on it. */
export const EXIT_CHANGED = 10;

/** A command whose arguments can be of any kind, in citty's own typing of nested commands. */
export type AnyCommand = Exclude<SubCommandsDef[string], Promise<unknown> | ((...args: never[]) => unknown)>;

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
/** What is wrong with the arguments, wherever it is found. */
const USAGE_CODES: ReadonlySet<string> = new Set([
  'USAGE',
  'ARGUMENTS_INVALID',
  'SHARD_INVALID',
  'TRUSTED_PROXIES_INVALID',
]);

/**
 * The one way a script runs: finds the (sub)command, refuses unknown options and words, answers `--help` and
 * `--version`, and turns errors into `message` and `hint` without a stack trace. With `--json` errors are
 * `{"error":{"code","message","hint"}}` on stdout.
 *
 * Sets the exit code: 0 done, 1 failed, 2 written wrongly. `meta.name` of the outermost command is what a person
 * types (`npm run origin --`). A positional whose `valueHint` ends in `...` takes all words that follow; they
 * are in `args._`. A command's own options may stand before the name of its subcommand, and are handed to it.
 */
export async function runCommand(command: AnyCommand, argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  enableCompileCache();
  let found: FoundCommand | undefined;
  try {
    if (argv.includes('--version')) return print(process.stdout, await readVersion());
    found = await findCommand(command, argv);
    if (found.argv.some((word) => word === '--help' || word === '-h')) {
      print(process.stdout, await renderUsage(found.command, { meta: { name: found.callers } }));
      return;
    }
    const { subCommands: _, ...leaf } = found.command;
    checkArguments(found.argv, found.args, found.help);
    if (!leaf.run) throw new UsageError(`"${found.name}" needs a command after it.`, found.help);
    await runParsed(leaf, { rawArgs: [...found.argv] });
  } catch (error) {
    report(describe(error, found?.help), argv.includes('--json'));
  }
}

interface FoundCommand {
  command: AnyCommand;
  args: ArgsDef;
  argv: readonly string[];
  /** As a person types it, all of it. */
  name: string;
  /** The same without the last word; empty for the outermost command. */
  callers: string;
  help: string;
}

async function findCommand(command: AnyCommand, argv: readonly string[], callers = ''): Promise<FoundCommand> {
  const meta = await resolve(command.meta ?? {});
  const args: ArgsDef = await resolve(command.args ?? {});
  const name = `${callers} ${meta.name ?? ''}`.trim();
  const help = `Run "${name} --help" to see what it takes.`;
  const found: FoundCommand = { command, args, argv, name, callers, help };
  const subCommands = await resolve(command.subCommands ?? {});
  const word = Object.keys(subCommands).length > 0 ? readArguments(argv, args).words[0] : undefined;
  if (!word) return found;
  checkArguments(argv.slice(0, word.index), args, help);
  const subCommand = subCommands[word.text];
  if (!subCommand) {
    throw new UsageError(
      `Unknown command "${word.text}".`,
      suggest(nearestWord(word.text, Object.keys(subCommands)), help),
    );
  }
  return findCommand(await resolve(subCommand), argv.toSpliced(word.index, 1), name);
}

function report(fault: Fault, asJson: boolean): void {
  process.exitCode = USAGE_CODES.has(fault.code) ? EXIT_USAGE : EXIT_FAILED;
  if (asJson) print(process.stdout, JSON.stringify({ error: fault }));
  else print(process.stderr, fault.hint === undefined ? fault.message : `${fault.message}\n${fault.hint}`);
  // Whatever a failed command left open must not keep it from ending.
  setTimeout(() => process.exit(), 2000).unref();
}

interface Fault {
  code: string;
  message: string;
  hint?: string | undefined;
}

/** @param help Where to read what the command takes. */
function describe(error: unknown, help: string | undefined): Fault {
  if (isSortimentError(error)) {
    const { code, message, hint = USAGE_CODES.has(code) ? help : undefined } = error;
    return { code, message, hint };
  }
  if (error instanceof Error && error.name === 'CLIError') {
    return { code: 'USAGE', message: `${stripVTControlCharacters(error.message).replace(/\.$/, '')}.`, hint: help };
  }
  const worded = wordSystemError(error);
  if (worded) {
    const { code, message, hint } = worded;
    return { code, message, hint };
  }
  const message = messageOf(error);
  if (process.env['SORTIMENT_DEBUG'] && error instanceof Error && error.stack)
    return { code: 'FAULT', message: error.stack };
  return {
    code: 'FAULT',
    message,
    hint: 'This looks like a bug in Sortiment. Set SORTIMENT_DEBUG=1 to see where it happened, and report it.',
  };
}

async function readVersion(): Promise<string> {
  const { default: packageFile } = await import('../../package.json', { with: { type: 'json' } });
  const { name, version } = packageFile;
  return `${name} ${version}`;
}

function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${stream.isTTY ? text : stripVTControlCharacters(text)}\n`);
}

async function resolve<T>(value: T | Promise<T> | (() => T | Promise<T>)): Promise<T> {
  return typeof value === 'function' ? (value as () => T | Promise<T>)() : value;
}

/** After Ctrl+C the program ends with 130, however what was under way has ended. For programs that handle it themselves. */
export function exitInterrupted(): void {
  process.once('SIGINT', () => {
    process.once('exit', () => {
      process.exitCode = EXIT_INTERRUPTED;
    });
  });
}

/** Prints the result of a command: for people its message and its rows as a table, for machines all of it. */
export function printResult(result: { message: string; rows?: Record<string, unknown>[] }, asJson = false): void {
  if (asJson) return void process.stdout.write(`${JSON.stringify(result)}\n`);
  const { message, rows = [] } = result;
  process.stdout.write(rows.length > 0 ? `${formatTable(rows)}\n${message}\n` : `${message}\n`);
}

/** Rows under their names, in columns. */
export function formatTable(rows: readonly Record<string, unknown>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `de, en` as words. */
export function splitWords(text = ''): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
