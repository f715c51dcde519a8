/** Whether what a client holds is still right: `If-None-Match` where it is sent, else `If-Modified-Since`. */
export function isUnchanged(headers: Headers, etag: string, modified: Date): boolean {
  const known = headers.get('if-none-match');
  if (known !== null) {
    return known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
  }
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return !Number.isNaN(since) && Math.floor(modified.getTime() / 1000) * 1000 <= since;
}
