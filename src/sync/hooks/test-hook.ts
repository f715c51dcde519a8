import type { HookOptions } from '#config/hook-options.ts';
import type { Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { type CatalogueChanged, messageId } from './compose-message.ts';
import { prepareTarget, type HookMessage, type MaskedRequest, type ReadyTarget } from './prepare-target.ts';
import type { SendOutboxOptions } from './send-outbox.ts';

type TestHookOptions = Pick<SendOutboxOptions, 'environment' | 'now' | 'timeoutMs' | 'signal'>;

const MAX_SHOWN = 500;

/**
 * Sends a hook a `catalogue.test` event under a new ID, bypassing the outbox. A build target starts a build.
 * @returns The response without secrets. Its body is truncated to 500 characters.
 * @throws SortimentError HOOK_UNKNOWN, HOOK_NOT_SET_UP, OFFLINE
 */
export async function testHook(settings: Settings, name: string, options: TestHookOptions = {}) {
  const { target, message, at } = prepare(settings, name, options);
  if (settings.offline) {
    throw new SortimentError('OFFLINE', 'SORTIMENT_OFFLINE is set, so hooks are disabled.', {
      hint: 'Unset SORTIMENT_OFFLINE, or use --dry-run to see the request.',
    });
  }
  const { verdict, answer } = await target.send(message, at);
  return { id: message.id, verdict, answer: answer && { ...answer, body: answer.body.slice(0, MAX_SHOWN) } };
}

/**
 * Returns the request that `testHook` would send, without secrets.
 * @throws SortimentError HOOK_UNKNOWN, HOOK_NOT_SET_UP
 */
export function previewTestRequest(settings: Settings, name: string, options: TestHookOptions = {}): MaskedRequest {
  const { target, message, at } = prepare(settings, name, options);
  return target.show(message, at);
}

function prepare(
  settings: Settings,
  name: string,
  { environment = process.env, now = () => new Date(), timeoutMs = 15_000, signal }: TestHookOptions,
): { target: ReadyTarget; message: HookMessage; at: Date } {
  const hook = findHook(settings.options.hooks, name);
  const target = prepareTarget(hook, { environment, timeoutMs, folder: settings.root, signal });
  if (!target.ok) {
    throw new SortimentError('HOOK_NOT_SET_UP', `The hook "${name}" is not set up: ${target.problem}.`, {
      hint: 'Set it in .env or in the shell; .env.example explains each variable.',
    });
  }
  const at = now();
  const event: CatalogueChanged = {
    type: 'catalogue.test',
    timestamp: at.toISOString(),
    data: { runId: 'run_test', previousDigest: null, digest: '', counts: {}, gtins: [], classes: [] },
  };
  return { target, message: { id: messageId(), body: JSON.stringify(event), event }, at };
}

function findHook(hooks: readonly HookOptions[], name: string): HookOptions {
  const hook = hooks.find((candidate) => candidate.name === name);
  if (hook) return hook;
  const names = hooks.map((candidate) => `"${candidate.name}"`).join(', ');
  throw new SortimentError('HOOK_UNKNOWN', `There is no hook "${name}".`, {
    hint: names ? `Configured hooks: ${names}.` : 'Add one to `hooks` in src/sortiment.config.ts.',
  });
}
