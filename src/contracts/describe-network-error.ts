const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers there',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to that network',
  ENETUNREACH: 'there is no way to that network',
  ENOTFOUND: 'no server has that name',
  EAI_AGAIN: 'the name could not be looked up',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is signed by itself only',
};

/**
 * True for timeouts of the operating system (`ETIMEDOUT`) and of the HTTP client (`UND_ERR_HEADERS_TIMEOUT` and
 * others).
 */
export function isTimeoutCode(code: string): boolean {
  return /TIMEOUT|TIMEDOUT/.test(code);
}

/** Describes the code of a network error: `no server answers there (ECONNREFUSED)`. */
export function describeNetworkError(code: string): string {
  const meaning = isTimeoutCode(code) ? 'timed out' : MEANINGS[code];
  return meaning === undefined ? code : `${meaning} (${code})`;
}
