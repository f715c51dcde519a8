import { request, type RequestListener } from 'node:http';

/** Connection headers end at each hop (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Hands requests on to a server on loopback; the `Host` that the visitor asked for stays. */
export function proxyTo(url: string): RequestListener {
  return (req, res) => {
    const target = new URL(url);
    const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !HOP_BY_HOP.has(name)));
    const forwarded = request(
      { host: target.hostname, port: target.port, method: req.method, path: req.url, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    forwarded.on('error', () => {
      if (res.headersSent) res.destroy();
      else res.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' }).end('The origin does not answer.\n');
    });
    res.on('close', () => forwarded.destroy());
    req.pipe(forwarded);
  };
}
