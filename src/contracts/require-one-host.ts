import type { RequestListener } from 'node:http';

/**
 * Rejects requests with several `Host` headers, as required by RFC 9112. Node uses the first one, but a proxy may use
 * another.
 */
export function requireOneHost(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { rawHeaders } = request;
    let hosts = 0;
    for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') hosts += 1;
    if (hosts <= 1) return listener(request, response);
    response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end('The request has several Host headers. Send one.\n');
  };
}
