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
