/** What to write of an answer; undefined for redirects and empty answers. */
export async function readBytes(response: Response): Promise<Uint8Array | undefined> {
  if ((response.status >= 300 && response.status < 400) || !response.body) return undefined;
  return new Uint8Array(await response.arrayBuffer());
}
