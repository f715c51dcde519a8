import { parseArgs } from 'node:util';
import type { ArgsDef } from 'citty';
import { nearestWord } from './nearest-word.ts';
import { UsageError } from './usage-error.ts';

export interface ParsedArguments {
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
export function suggest(nearest: string | undefined, help: string): string {
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
