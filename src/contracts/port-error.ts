/** Why nothing can listen on a port, in the same words whatever wanted to: PORT_TAKEN, PORT_REFUSED. */
export function portError(cause: Error, host: string, port: number): SortimentError {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') {
    return new SortimentError('PORT_TAKEN', `Port ${port} on ${host} is taken by another program.`, {
      hint: `Stop that program, or choose another port: --port ${port + 1}.`,
      cause,
    });
  }
  if (code === 'EACCES') {
    return new SortimentError('PORT_REFUSED', `Port ${port} on ${host} may not be opened.`, {
      hint: 'Ports below 1024 need special rights; choose a higher one with --port.',
      cause,
    });
  }
  return new SortimentError('PORT_REFUSED', `Nothing can listen on ${host}, port ${port}: ${cause.message}.`, {
    hint: 'Choose another one with --port or --host.',
    cause,
  });
}

export interface SortimentErrorOptions {
  /** An imperative that names what to change: "Set PRODUCT_API_TOKEN in the environment." */
  hint?: string | undefined;
  cause?: unknown;
}

/**
 * The base of every error a person may meet: `message` says what, where and why, `hint` what to do.
 * `code` is stable and upper snake case, for machines.
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

/** Works across module realms (the build bundles some modules twice), where `instanceof` does not. */
export function isSortimentError(error: unknown): error is SortimentError {
  return error instanceof Error && 'code' in error && 'hint' in error && typeof error.code === 'string';
}

/** What was thrown, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
