import type { Context } from 'hono';

/**
 * Whether a form has at most so many bytes. One that comes without its length is read into memory to find out: where the
 * limit is large, check first who sends it. Hono's `bodyLimit` replaces the request, which fails with those of this
 * server.
 */
export async function isFormWithin(c: Context, maxBytes: number): Promise<boolean> {
  const { body, headers } = c.req.raw;
  if (!body || !headers.has('transfer-encoding')) return Number(headers.get('content-length') ?? 0) <= maxBytes;
  // One buffer, as pieces may be of single bytes.
  const form = new ArrayBuffer(0, { maxByteLength: maxBytes });
  try {
    for await (const chunk of body.values({ preventCancel: true })) {
      const bytes = form.byteLength;
      if (bytes + chunk.byteLength > maxBytes) return false;
      form.resize(bytes + chunk.byteLength);
      new Uint8Array(form, bytes).set(chunk);
    }
  } catch {
    // Its sender has given up: to read the form, which comes next, fails.
    return true;
  }
  // Hono reads forms from this. It holds promises, though its type says otherwise.
  Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(form.transferToFixedLength()) });
  return true;
}
