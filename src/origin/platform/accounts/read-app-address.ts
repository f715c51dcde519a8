import { isAppScheme } from './app-schemes.ts';

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
  return protocol === 'https:' || isAppScheme(protocol.slice(0, -1)) ? url : undefined;
}
