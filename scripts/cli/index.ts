export { checkArguments } from './read-arguments.ts';
export { EXIT_FAILED, EXIT_USAGE, runCommand, type AnyCommand } from './run-command.ts';
export { UsageError } from './usage-error.ts';
