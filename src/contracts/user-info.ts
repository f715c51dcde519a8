import type { RequestListener } from 'node:http';
import { mapTexts } from './scan-text.ts';

/** True if a URL contains a user name or password (RFC 3986, 3.2.1). */
export function hasUserInfo(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.username !== '' || url.password !== '');
}

/** Removes user name and password from a URL; returns other texts unchanged. */
export function withoutUserInfo(address: string): string {
  // Parsing every text of every record would be too slow.
  if (!address.includes('@') || !hasUserInfo(address)) return address;
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** JSON may escape slashes. */
const USER_INFO = /(https?:(?:\\?\/){2})[^\s/?#"'<>\\]*@/gi;

/** Masks credentials in URLs within a text. */
export function maskUserInfo(text: string): string {
  return text.includes('@') ? text.replace(USER_INFO, '$1') : text;
}

/** Removes credentials from all URLs in a JSON value. Returns the same value if there are none. */
export function withoutUserInfos<T>(value: T): T {
  return mapTexts(value, withoutUserInfo);
}

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
