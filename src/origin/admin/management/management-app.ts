import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { formatProblems, isSortimentError, parseValue, SortimentError, describeSystemError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import { boundedBody, RestError } from '#origin/platform/http/transport/index.ts';
import { digestBody, readPass } from './management-pass.ts';

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
    if (body === undefined || digestBody([body]) !== digest) return c.notFound();
    try {
      const { command, args } = readCommand(body);
      return c.json(await COMMANDS[command](context, args));
    } catch (error) {
      const known = isSortimentError(error) ? error : describeSystemError(error);
      if (!known) throw error;
      const { code, message, hint } = known;
      return c.json({ error: { code, message, hint } }, 422);
    }
  });
}

/**
 * Parses a command.
 *
 * @throws {SortimentError} ARGUMENTS_INVALID
 */
function readCommand(body: Buffer): z.output<typeof commandRequest> {
  const reading = parseValue(commandRequest, parseJson(body.toString('utf8')));
  if (reading.ok) return reading.value;
  throw new SortimentError('ARGUMENTS_INVALID', `The command is invalid:\n${formatProblems(reading.problems)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a body; undefined if it is larger than any command. */
async function readBody(request: Request): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of boundedBody({ request }, MAX_COMMAND_BYTES)) pieces.push(piece);
  } catch (error) {
    if (error instanceof RestError) return undefined;
    throw error;
  }
  return Buffer.concat(pieces);
}

/** True for a direct request from this machine. Proxied requests have a local socket too. */
function isLocal(c: Context): boolean {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  const address = incoming?.socket.remoteAddress ?? '';
  const isProxied = c.req.header('x-forwarded-for') !== undefined || c.req.header('forwarded') !== undefined;
  return /^(127\.|::1$|::ffff:127\.)/.test(address) && !isProxied;
}
