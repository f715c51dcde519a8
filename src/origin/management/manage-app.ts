import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { isSortimentError } from '../../contracts/index.ts';
import type { OriginContext } from '../origin-context.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import { isPass } from './management-pass.ts';

const asked = z.strictObject({
  command: z.enum(Object.keys(COMMANDS) as [CommandName, ...CommandName[]]),
  args: z.record(z.string(), z.unknown()),
});

/**
 * The operator's commands for an origin that runs: `POST /manage/v1/run` with `{command, args}` and a pass as
 * bearer. For everybody else, and from anywhere but this machine, there is nothing here.
 */
export function manageApp(context: OriginContext): Hono {
  return new Hono().post('/run', async (c) => {
    if (!isLocal(c)) return c.notFound();
    const body = await c.req.text();
    const pass = c.req.header('authorization')?.replace(/^Bearer /, '') ?? '';
    if (!isPass(context.key, body, pass, Date.now())) return c.notFound();
    const { command, args } = asked.parse(JSON.parse(body));
    try {
      return c.json(await COMMANDS[command](context, args));
    } catch (error) {
      if (!isSortimentError(error)) throw error;
      const { code, message, hint } = error;
      return c.json({ error: { code, message, hint } }, 422);
    }
  });
}

/** A request that a proxy handed on comes from elsewhere, though its socket does not. */
function isLocal(c: Context): boolean {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  const address = incoming?.socket.remoteAddress ?? '';
  const isProxied = c.req.header('x-forwarded-for') !== undefined || c.req.header('forwarded') !== undefined;
  return /^(127\.|::1$|::ffff:127\.)/.test(address) && !isProxied;
}
