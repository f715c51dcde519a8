/** Creates the error for a failure to listen on a port: PORT_TAKEN, PORT_REFUSED. */
export function portError(cause: Error, host: string, port: number): SortimentError {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') {
    return new SortimentError('PORT_TAKEN', `Port ${port} on ${host} is used by another program.`, {
      hint: `Stop that program, or choose another port: --port ${port + 1}.`,
      cause,
    });
  }
  if (code === 'EACCES') {
    return new SortimentError('PORT_REFUSED', `Port ${port} on ${host} can't be opened: permission denied.`, {
      hint: 'Choose a port above 1023 with --port; lower ones require special permissions.',
      cause,
    });
  }
  return new SortimentError('PORT_REFUSED', `Listening on ${host}, port ${port} failed: ${cause.message}.`, {
    hint: 'Choose another port or host with --port or --host.',
    cause,
  });
}

export interface SortimentErrorOptions {
  /** Imperative that names the setting to change: "Set PRODUCT_API_TOKEN in the environment." */
  hint?: string | undefined;
  cause?: unknown;
}

/**
 * Base class of all user-facing errors. `message` states what, where and why, `hint` the remedy. `code` is a stable
 * identifier in upper snake case.
 */
export class SortimentError extends Error {
  override readonly name: string = 'SortimentError';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: SortimentErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** True for a SortimentError. Works across module realms, unlike `instanceof`: the build bundles some modules twice. */
export function isSortimentError(error: unknown): error is SortimentError {
  return error instanceof Error && 'code' in error && 'hint' in error && typeof error.code === 'string';
}

/** Returns the message of a thrown value. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
