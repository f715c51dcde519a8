/** What has ended a thread, in words. */
export function wordFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
