import type { CommandResult } from './command.ts';
import type { CommandName } from './commands.ts';

export interface ManagementOptions {
  dataFolder: string;
  databaseUrl?: string | undefined;
  /** Shown in answers when no origin runs. */
  publicUrl: string;
}

/** A way to the origin's store for as many commands as are needed. */
export interface Management {
  /** @throws {SortimentError} the command's own errors */
  run(command: CommandName, args: Record<string, unknown>): Promise<CommandResult>;
  close(): Promise<void>;
}
