import { realpathSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { renderUsage, runCommand as runParsed, type ArgsDef, type CommandDef, type SubCommandsDef } from 'citty';
import { editDistance } from '#contracts/edit-distance.ts';
import { describeSystemError, getErrorMessage, isSortimentError, SortimentError } from '#contracts/sortiment-error.ts';

/** Exit code of commands that have changed something, so that dependent steps can be started. */
export const EXIT_CHANGED = 10;

/** Invalid usage of a command: nothing was done, and the exit code is 2. */
export class UsageError extends SortimentError {
  override readonly name = 'UsageError';

  constructor(message: string, hint?: string) {
    super('USAGE', message, { hint });
  }
}

/** A command with any arguments, as citty types nested commands. */
export type AnyCommand = Exclude<SubCommandsDef[string], Promise<unknown> | ((...args: never[]) => unknown)>;

/** Option of commands with output for scripts. */
export const JSON_ARG = { type: 'boolean', description: 'Print the result as JSON' } as const;

/** Options of commands that serve the site. */
export const ADDRESS_ARGS = {
  port: { type: 'string', valueHint: 'number', description: 'Port to listen on (default: PORT, then 4321)' },
  host: { type: 'string', default: 'localhost', description: 'Name or address to listen on' },
} as const;

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
/** Error codes of invalid arguments, wherever they are detected. */
const USAGE_CODES: ReadonlySet<string> = new Set([
  'USAGE',
  'ARGUMENTS_INVALID',
  'SHARD_INVALID',
  'TRUSTED_PROXIES_INVALID',
]);

/** Runs the command of a script if the script was started, and returns it for scripts that import it. */
export async function runScript<const T extends ArgsDef>(
  { filename }: ImportMeta,
  command: CommandDef<T>,
): Promise<AnyCommand> {
  if (realpathSync(filename) === realpathSync(process.argv[1] ?? '.')) await runCommand(command);
  return command;
}

/**
 * Runs a command: finds the (sub)command, rejects unknown options and words, and handles `--help` and `--version`.
 * Prints errors as `message` and `hint` without a stack trace. With `--json`, errors are
 * `{"error":{"code","message","hint"}}` on stdout.
 *
 * Sets the exit code: 0 success, 1 failure, 2 invalid usage. `meta.name` of the outermost command is the command line
 * (`npm run origin --`). A positional whose `valueHint` ends in `...` takes all remaining words; they are in `args._`.
 * Options of a command may precede the name of its subcommand, which receives them.
 */
export async function runCommand(command: AnyCommand, argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  const { directory } = enableCompileCache();
  // Child processes use the cache from their first module on.
  if (directory) process.env['NODE_COMPILE_CACHE'] ??= path.dirname(directory);
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
  /** Full command line. */
  name: string;
  /** Command line without the last word; empty for the outermost command. */
  callers: string;
  help: string;
}

async function findCommand(command: AnyCommand, argv: readonly string[], callers = ''): Promise<FoundCommand> {
  const meta = await resolve(command.meta ?? {});
  const args: ArgsDef = await resolve(command.args ?? {});
  const name = `${callers} ${meta.name ?? ''}`.trim();
  const help = `Run "${name} --help" for its usage.`;
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
  // Resources that a failed command left open must not keep the process alive.
  setTimeout(() => process.exit(), 2000).unref();
}

interface Fault {
  code: string;
  message: string;
  hint?: string | undefined;
}

/** @param help Where to find the help of the command. */
function describe(error: unknown, help: string | undefined): Fault {
  if (isSortimentError(error)) {
    const { code, message, hint = USAGE_CODES.has(code) ? help : undefined } = error;
    return { code, message, hint };
  }
  if (error instanceof Error && error.name === 'CLIError') {
    return { code: 'USAGE', message: `${stripVTControlCharacters(error.message).replace(/\.$/, '')}.`, hint: help };
  }
  const systemError = describeSystemError(error);
  if (systemError) {
    const { code, message, hint } = systemError;
    return { code, message, hint };
  }
  const message = getErrorMessage(error);
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

/** A command or subcommand with its full name, such as `npm run hooks -- list`. */
export interface Command {
  name: string;
  description: string;
  args: ArgsDef;
  commands: Command[];
}

export async function describeCommand(command: AnyCommand, parent = ''): Promise<Command> {
  const { name = '', description = '' } = await resolve(command.meta ?? {});
  const full = `${parent} ${name}`.trim();
  const children = Object.values(await resolve(command.subCommands ?? {}));
  const commands = await Promise.all(children.map(async (child) => describeCommand(await resolve(child), full)));
  return { name: full, description, args: await resolve(command.args ?? {}), commands };
}

async function resolve<T>(value: T | Promise<T> | (() => T | Promise<T>)): Promise<T> {
  return typeof value === 'function' ? (value as () => T | Promise<T>)() : value;
}

export function printResult(result: { message: string; rows?: Record<string, unknown>[] }, asJson = false): void {
  if (asJson) return void process.stdout.write(`${JSON.stringify(result)}\n`);
  const { message, rows = [] } = result;
  process.stdout.write(rows.length > 0 ? `${formatTable(rows)}\n${message}\n` : `${message}\n`);
}

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

/** @throws UsageError if it isn't a port. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`"${text}" is not a port.`, 'Give --port a number up to 65535; 0 is any free one.');
}

export function splitWords(text = ''): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

interface ParsedArguments {
  /** Positional arguments with their indexes in `argv`. */
  words: { text: string; index: number }[];
  /** Unknown options, as written. */
  unknown: string[];
  /** Options without their required value. */
  valueless: string[];
}

/** Parses arguments without validation, which `checkArguments` does. */
export function readArguments(argv: readonly string[], args: ArgsDef): ParsedArguments {
  const options = optionsOf(args);
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
  });
  const parsed: ParsedArguments = { words: [], unknown: [], valueless: [] };
  for (const token of tokens) {
    if (token.kind === 'positional') parsed.words.push({ text: token.value, index: token.index });
    if (token.kind !== 'option') continue;
    const known = options[token.name] ?? options[token.name.replace(/^no-/, '')];
    if (!known) parsed.unknown.push(token.rawName);
    else if (known.type === 'string' && token.value === undefined) parsed.valueless.push(token.rawName);
  }
  return parsed;
}

/** @throws {UsageError} for the first unknown option, missing value or unexpected argument. */
export function checkArguments(argv: readonly string[], args: ArgsDef, help: string): void {
  const { words, unknown, valueless } = readArguments(argv, args);
  if (unknown[0] !== undefined) {
    const names = Object.keys(optionsOf(args)).map((name) => `--${name}`);
    throw new UsageError(`Unknown option ${unknown[0]}.`, suggest(nearestWord(unknown[0], names), help));
  }
  if (valueless[0] !== undefined) throw new UsageError(`The option ${valueless[0]} needs a value.`, help);
  const positionals = Object.values(args).filter((arg) => arg.type === 'positional');
  if (positionals.at(-1)?.valueHint?.endsWith('...')) return;
  const extra = words[positionals.length];
  if (extra) throw new UsageError(`Unexpected argument "${extra.text}".`, help);
}

/** Prepends "Did you mean …?" to the help text if there is a similar name. */
function suggest(nearest: string | undefined, help: string): string {
  return nearest === undefined ? help : `Did you mean ${nearest}? ${help}`;
}

function optionsOf(args: ArgsDef): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean' },
  };
  for (const [name, arg] of Object.entries(args)) {
    if (arg.type === 'positional') continue;
    const type = arg.type === 'string' || arg.type === 'enum' ? 'string' : 'boolean';
    const aliases = 'alias' in arg && arg.alias !== undefined ? [arg.alias].flat() : [];
    const short = aliases.find((alias) => alias.length === 1);
    options[name] = { type, ...(short !== undefined && { short }) };
    for (const alias of aliases) if (alias.length > 1) options[alias] = { type };
  }
  return options;
}

/** Finds the word that was probably meant: at most two edits away, and less than half of the word. */
function nearestWord(written: string, words: readonly string[]): string | undefined {
  const [nearest] = words
    .map((word) => ({ word, distance: editDistance(written, word) }))
    .filter(({ word, distance }) => distance <= 2 && distance * 2 < word.length)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.word;
}
