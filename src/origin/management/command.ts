import type { z } from 'zod';
import { formatProblems, readValue, SortimentError } from '../../contracts/index.ts';
import type { OriginContext } from '../origin-context.ts';

/** What a command of the operator has to say. */
export interface CommandResult {
  /** For a person: one sentence, or one line for each thing that was done. */
  message: string;
  /** A list, for a table. */
  rows?: Record<string, unknown>[];
  [detail: string]: unknown;
}

export type Command = (context: OriginContext, args: unknown) => Promise<CommandResult>;

/** Makes a command of its arguments' shape and what it does. @throws {SortimentError} ARGUMENTS_INVALID */
export function command<T extends z.ZodType>(
  args: T,
  run: (context: OriginContext, args: z.output<T>) => Promise<CommandResult>,
): Command {
  return async (context, given) => {
    const reading = readValue(args, given);
    if (reading.ok) return run(context, reading.value);
    throw new SortimentError('ARGUMENTS_INVALID', `The command can't run:\n${formatProblems(reading.problems)}`);
  };
}
