import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#origin/platform/accounts/sealed-texts.ts';
import type { CommandResult } from './command.ts';
import type { CommandName } from './commands.ts';

const VALID_MS = 60_000;

/**
 * Creates the bearer token of an operator command: a time, the digest of the body, and a signature of both with the
 * origin's key. Everyone who can read the data folder can create one. It expires after a minute and is checked before
 * the body is read.
 */
export function signPass(key: Uint8Array, body: string, now: number): string {
  const digest = digestBody([Buffer.from(body)]);
  return `${now}.${digest}.${sign(key, digest, String(now)).toString('base64url')}`;
}

/** Returns the digest of the body that a pass authorises; undefined unless it was created within the last minute. */
export function readPass(key: Uint8Array, pass: string, now: number): string | undefined {
  const [time = '', digest = '', signature = ''] = pass.split('.', 3);
  if (!/^\d+$/.test(time) || Math.abs(now - Number(time)) > VALID_MS) return undefined;
  const actual = Buffer.from(signature, 'base64url');
  const expected = sign(key, digest, time);
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? digest : undefined;
}

/** Digests a chunked body in the form that a pass uses. */
export function digestBody(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

function sign(key: Uint8Array, digest: string, time: string): Buffer {
  return createHmac('sha256', deriveKey(key, 'management')).update(`${time}\n${digest}`).digest();
}

export interface ManagementOptions {
  dataFolder: string;
  databaseUrl?: string | undefined;
  /** Address in responses when no origin is running. */
  publicUrl: string;
}

/** Access to the origin's store for any number of commands. */
export interface Management {
  /** @throws {SortimentError} the errors of the command */
  run(command: CommandName, args: Record<string, unknown>): Promise<CommandResult>;
  close(): Promise<void>;
}
