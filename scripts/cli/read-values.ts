import { namespaceNames, readEnvironment } from '#config/index.ts';
import { hasUserInfo, maskUserInfo, type NamespaceMap } from '#contracts/index.ts';
import { ROOT } from './load-settings.ts';
import { parsePort, UsageError } from './index.ts';

const DEFAULT_PORT = 4321;

/** Reads `--port`, then PORT; the default is 4321. */
export function readPort(value: string | undefined): number {
  return value === undefined ? (readEnvironment(ROOT).PORT ?? DEFAULT_PORT) : parsePort(value);
}

/** @throws UsageError if it isn't an http(s) URL, or contains a user name or password. */
export function readHttpAddress(text: string): string {
  if (hasUserInfo(text)) {
    throw new UsageError(
      `The address "${maskUserInfo(text)}" contains a user name or password.`,
      'Remove them. If the command has --user, use that and SORTIMENT_IMPORT_PASSWORD.',
    );
  }
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`"${text}" is not an http(s) address.`, 'Write it as in https://www.example.com');
}

/**
 * Parses the namespace names of a site; undefined to detect them.
 *
 * @throws UsageError if it isn't a list of names.
 */
export function readNamespaces(text: string | undefined): NamespaceMap | undefined {
  if (text === undefined) return undefined;
  const read = namespaceNames.safeParse(text);
  if (read.success) return read.data;
  throw new UsageError(
    `--namespaces "${text}" is not a list of names.`,
    'Write it as in core/v2=wp/v2,podcast/v2=acme/v2',
  );
}

/** Returns a secret from the command line, the environment or `.env`; empty if missing. */
export function readSecret(value: string | undefined, name: string): string {
  readEnvironment(ROOT);
  return value ?? process.env[name] ?? '';
}
