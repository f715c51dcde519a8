import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { formatProblems, isSortimentError, parseValue, SortimentError, describeSystemError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import { readText } from '#origin/platform/http/transport/read-body.ts';
import { RestError } from '#origin/platform/http/transport/rest-error.ts';
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#origin/platform/accounts/sealed-texts.ts';
import type { CommandResult } from './command.ts';
import { tryParse } from '#contracts/scan-text.ts';

const VALID_MS = 60_000;

/**
 * Creates the bearer token of an operator command: a time, the digest of the body, and a signature of both with the
 * origin's key. Everyone who can read the data folder can create one. It expires after a minute and is checked before
 * the body is read.
 */
export function signPass(key: Uint8Array, body: string, now: number): string {
  const digest = hash('sha256', body);
  return `${now}.${digest}.${sign(key, digest, String(now)).toString('base64url')}`;
}

/** Returns the digest of the body that a pass authorises; undefined unless it was created within the last minute. */
function readPass(key: Uint8Array, pass: string, now: number): string | undefined {
  const [time = '', digest = '', signature = ''] = pass.split('.', 3);
  if (!/^\d+$/.test(time) || Math.abs(now - Number(time)) > VALID_MS) return undefined;
  const actual = Buffer.from(signature, 'base64url');
  const expected = sign(key, digest, time);
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? digest : undefined;
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

/** Import steps send many records at once. */
const MAX_COMMAND_BYTES = 64 * 1024 * 1024;

const commandRequest = z.strictObject({
  command: z.enum(Object.keys(COMMANDS) as [CommandName, ...CommandName[]]),
  args: z.record(z.string(), z.unknown()),
});

/**
 * Runs operator commands in a running origin: `POST /manage/v1/run` with `{command, args}` and a pass as bearer token.
 * Responds with 404 without a valid pass, and to requests from other machines.
 */
export function managementApp(context: OriginContext): Hono {
  return new Hono().post('/run', async (c) => {
    if (!isLocal(c)) return c.notFound();
    const pass = c.req.header('authorization')?.replace(/^Bearer /, '') ?? '';
    const digest = readPass(context.key, pass, Date.now());
    const body = digest === undefined ? undefined : await readBody(c.req.raw);
    if (body === undefined || hash('sha256', body) !== digest) return c.notFound();
    try {
      const reading = parseValue(commandRequest, tryParse(body));
      if (!reading.ok)
        throw new SortimentError('ARGUMENTS_INVALID', `The command is invalid:\n${formatProblems(reading.problems)}`);
      const { command, args } = reading.value;
      return c.json(await COMMANDS[command](context, args));
    } catch (error) {
      const known = isSortimentError(error) ? error : describeSystemError(error);
      if (!known) throw error;
      const { code, message, hint } = known;
      return c.json({ error: { code, message, hint } }, 422);
    }
  });
}

/** Reads a body; undefined if it is larger than any command. */
function readBody(request: Request): Promise<string | undefined> {
  return readText({ request }, MAX_COMMAND_BYTES).catch((error: unknown) => {
    if (error instanceof RestError) return undefined;
    throw error;
  });
}

/** True for a direct request from this machine. Proxied requests have a local socket too. */
function isLocal(c: Context): boolean {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  const address = incoming?.socket.remoteAddress ?? '';
  const isProxied = c.req.header('x-forwarded-for') !== undefined || c.req.header('forwarded') !== undefined;
  return /^(127\.|::1$|::ffff:127\.)/.test(address) && !isProxied;
}
