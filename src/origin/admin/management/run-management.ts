import { setTimeout } from 'node:timers/promises';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { findRunningOrigin, readOriginKey } from '#origin/platform/process/running-origin.ts';
import type { CommandResult } from './command.ts';
import { signPass, type Management, type ManagementOptions } from './management-app.ts';

/** Time that a command waits for a starting origin or another command. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 100;

/**
 * Runs an operator command in the running origin, or directly on the store.
 *
 * @throws {SortimentError} the errors of the command and of `openStore`
 */
export async function runManagement(options: ManagementOptions, ...call: Parameters<Management['run']>) {
  const management = await openManagement(options);
  try {
    return await management.run(...call);
  } finally {
    await management.close();
  }
}

/**
 * Connects to the running origin, or opens the store directly. Stays open until closed.
 *
 * @throws {SortimentError} the errors of `openStore`
 */
export async function openManagement(options: ManagementOptions): Promise<Management> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await setTimeout(PAUSE_MS)) {
    const running = await findRunningOrigin(options.dataFolder);
    if (running) {
      return { run: (...call) => ask(running.url, options.dataFolder, ...call), close: () => Promise.resolve() };
    }
    try {
      // Loaded on demand, because a running origin makes it unnecessary.
      const { openDirectly } = await import('./open-directly.ts');
      return await openDirectly(options);
    } catch (error) {
      if (!isSortimentError(error) || error.code !== 'STORE_LOCKED' || Date.now() > deadline) throw error;
    }
  }
}

async function ask(url: string, dataFolder: string, ...[command, args]: Parameters<Management['run']>) {
  const address = `${url}/manage/v1/run`;
  const body = JSON.stringify({ command, args });
  const pass = signPass(readOriginKey(dataFolder, process.env), body, Date.now());
  const headers = { authorization: `Bearer ${pass}`, 'content-type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body }).catch((cause: unknown) => {
    throw new SortimentError('ORIGIN_UNREACHABLE', `The origin at ${url} is not responding.`, {
      hint: 'Check its process, or stop it and run the command again.',
      cause,
    });
  });
  if (response.ok) return (await response.json()) as CommandResult;
  if (response.status !== 422) {
    throw new SortimentError('ORIGIN_REFUSED', `[POST] "${address}": ${response.status} ${response.statusText}`, {
      hint: 'Restart the origin: its version or its key seems to differ.',
    });
  }
  const { error } = (await response.json()) as { error: { code: string; message: string; hint?: string } };
  throw new SortimentError(error.code, error.message, { hint: error.hint });
}
