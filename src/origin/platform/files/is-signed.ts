import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Whether a request carries the AWS Signature Version 4 that a secret key makes of it; written by AWS' description of it, for tests. */
export function isSigned({ method = '', url = '', headers }: IncomingMessage, secretKey: string): boolean {
  const given = /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=([\da-f]{64})$/;
  const [, scope = '', signedHeaders = '', signature] = given.exec(headers.authorization ?? '') ?? [];
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    query.split('&').filter(Boolean).toSorted().join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name])}`),
    '',
    signedHeaders,
    String(headers['x-amz-content-sha256']),
  ].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, digest].join('\n');
  let key: string | Buffer = `AWS4${secretKey}`;
  for (const part of [...scope.split('/'), toSign]) key = createHmac('sha256', key).update(part).digest();
  return Buffer.from(key).toString('hex') === signature;
}
