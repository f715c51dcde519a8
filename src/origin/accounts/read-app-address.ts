/** Schemes that run, open or show something in the browser itself instead of handing over to an application. */
const REFUSED = new Set(
  ['javascript', 'data', 'vbscript', 'file', 'blob', 'about', 'filesystem', 'view-source', 'ftp', 'ws', 'wss'].map(
    (scheme) => `${scheme}:`,
  ),
);
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Where an application wants its user sent back to: https, http on this very machine, or a scheme of the
 * application's own with a host. Undefined for everything else.
 */
export function readAppAddress(sent: unknown): URL | undefined {
  if (typeof sent !== 'string' || !/^[a-z][a-z\d+.-]*:\/\//i.test(sent) || !URL.canParse(sent)) return undefined;
  const url = new URL(sent);
  const { protocol, hostname, host, username, password } = url;
  // The host goes into a policy: nothing in it may end there and begin something else.
  if (!/^[\w.:[\]-]+$/.test(host) || username !== '' || password !== '') return undefined;
  if (protocol === 'http:') return LOOPBACK.test(hostname) ? url : undefined;
  return REFUSED.has(protocol) ? undefined : url;
}
