import type { Context } from 'hono';

/**
 * Whether a form has at most so many bytes. One whose length isn't told is read for it: ask who sent it before. Hono's
 * `bodyLimit` would put another request in its place, which can't be made of the requests of this server.
 */
export async function fitsForm(c: Context, maxBytes: number): Promise<boolean> {
  const { body, headers } = c.req.raw;
  if (!body || !headers.has('transfer-encoding')) return Number(headers.get('content-length') ?? 0) <= maxBytes;
  // One buffer, as pieces may be of single bytes.
  let form = Buffer.alloc(0);
  let bytes = 0;
  try {
    for await (const chunk of body.values({ preventCancel: true })) {
      if (bytes + chunk.byteLength > maxBytes) return false;
      if (bytes + chunk.byteLength > form.length) {
        const grown = Buffer.alloc(Math.min(maxBytes, 2 * (bytes + chunk.byteLength)));
        form.copy(grown, 0, 0, bytes);
        form = grown;
      }
      form.set(chunk, bytes);
      bytes += chunk.byteLength;
    }
  } catch {
    // Its sender has given up: whoever reads it finds that out.
    return true;
  }
  // What Hono reads forms from.
  const read = new Uint8Array(form.subarray(0, bytes)).buffer;
  Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(read) });
  return true;
}
