/** Whether a text of the project has components of its own: what they show is no part of any key. */
export function bringsComponents({ body = '' }: { body?: string | undefined }): boolean {
  return /^import\s/m.test(body);
}
