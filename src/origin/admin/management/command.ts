import type { z } from 'zod';
import { cleanText, formatProblems, parseValue, SortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

export interface CommandResult {
  /** One sentence, or one line per change. */
  message: string;
  rows?: Record<string, unknown>[];
  [detail: string]: unknown;
}

export interface Command {
  (context: OriginContext, args: unknown): Promise<CommandResult>;
  /** Names of its arguments. */
  takes: readonly string[];
}

/**
 * Defines a command by its argument schema and its function.
 *
 * @throws {SortimentError} ARGUMENTS_INVALID
 */
export function command<T extends z.ZodObject>(
  args: T,
  run: (context: OriginContext, args: z.output<T>) => Promise<CommandResult>,
): Command {
  const checked = async (context: OriginContext, input: unknown): Promise<CommandResult> => {
    const reading = parseValue(args, clean(input));
    if (reading.ok) return run(context, reading.value);
    throw new SortimentError('ARGUMENTS_INVALID', `The command can't run:\n${formatProblems(reading.problems)}`);
  };
  return Object.assign(checked, { takes: Object.keys(args.shape) });
}

/** Defines an import step. The contract declares its arguments and its result. */
export function importStep<T extends z.ZodObject, A extends z.ZodObject>(
  { takes }: { takes: T; answers: A },
  run: (context: OriginContext, args: z.output<T>) => Promise<CommandResult & z.input<A>>,
): Command {
  return command(takes, run);
}

/** Removes characters that the store can't hold. Records are cleaned by their own contracts. */
function clean(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const entries = Object.entries(input).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? cleanText(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Formats a count: `1 token`, `2 tokens`. */
export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
