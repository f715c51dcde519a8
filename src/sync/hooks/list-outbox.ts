import type { Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { openSnapshot, isDisabled, listMessages, type OutboxMessage, requeueMessages } from '#snapshot/index.ts';
import { readEvent } from './compose-message.ts';
import { prepareTarget } from './prepare-target.ts';

/**
 * Lists hooks and their messages, latest first. Contains no secrets: addresses and keys are never stored.
 * @throws SortimentError SNAPSHOT_MISSING, SNAPSHOT_OUTDATED
 */
export function listOutbox(settings: Settings, environment: NodeJS.ProcessEnv = process.env) {
  using snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  const { database } = snapshot;
  const hooks = listHooks(settings, environment).map((hook) =>
    isDisabled(database, hook.name) ? { ...hook, problem: 'disabled: its target responded with 410 Gone' } : hook,
  );
  return { hooks, messages: listMessages(database).map(describeMessage) };
}

/** Lists the configured hooks with problems in their environment variables. */
export function listHooks(
  { options, root }: Pick<Settings, 'options' | 'root'>,
  environment: NodeJS.ProcessEnv = process.env,
) {
  return options.hooks.map((hook) => {
    const target = prepareTarget(hook, { environment, folder: root, timeoutMs: 0 });
    return { name: hook.name, type: hook.type, problem: target.ok ? undefined : target.problem };
  });
}

function describeMessage(message: OutboxMessage) {
  const { id, hook, state, attempts, settledAt, nextAttemptAt, lastProblem } = message;
  const { digest, classes } = readEvent(message).data;
  return {
    id,
    hook,
    /** `waiting`: never sent. `in flight`: sent, but not delivered yet. */
    state: state !== 'pending' ? state : attempts === 0 ? 'waiting' : 'in flight',
    attempts,
    /** Time of delivery or dead-lettering; before that, the due time. ISO. */
    at: settledAt ?? nextAttemptAt,
    digest,
    classes,
    problem: lastProblem,
  };
}

/**
 * Requeues dead-lettered messages under their IDs and enables their hooks.
 * @param id One message; undefined requeues all.
 * @returns The number of requeued messages.
 * @throws SortimentError MESSAGE_UNKNOWN, MESSAGE_NOT_DEAD, SNAPSHOT_MISSING
 */
export function retryMessages(settings: Settings, id: string | undefined, now: Date = new Date()): number {
  // Opening for writing would create a missing snapshot.
  openSnapshot(settings.snapshotPath, { readOnly: true }).close();
  using snapshot = openSnapshot(settings.snapshotPath);
  const revived = requeueMessages(snapshot.database, id, now);
  if (revived > 0 || id === undefined) return revived;
  const message = listMessages(snapshot.database).find((candidate) => candidate.id === id);
  if (!message) {
    throw new SortimentError('MESSAGE_UNKNOWN', `There is no message ${id}.`, {
      hint: 'Run `npm run hooks -- list` to list the messages.',
    });
  }
  throw new SortimentError('MESSAGE_NOT_DEAD', `The message ${id} is not dead-lettered: it is ${message.state}.`, {
    hint: 'Only dead-lettered messages can be requeued. `npm run hooks -- drain --now` sends what is pending without waiting.',
  });
}
