import type { Context, MiddlewareHandler } from 'hono';

/**
 * Refuses forms of more bytes. Hono's `bodyLimit` puts another request into the place of one whose length isn't told,
 * which can't be made of the requests of this server.
 */
export function limitForm(maxBytes: number, refuse: (c: Context) => Response | Promise<Response>): MiddlewareHandler {
  return async (c, next) => {
    const { body, headers } = c.req.raw;
    if (!body) return next();
    if (!headers.has('transfer-encoding'))
      return Number(headers.get('content-length') ?? 0) > maxBytes ? refuse(c) : next();
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body.values({ preventCancel: true })) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) return refuse(c);
      chunks.push(chunk);
    }
    // What Hono reads forms from.
    Object.assign(c.req.bodyCache, { arrayBuffer: new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer() });
    return next();
  };
}
