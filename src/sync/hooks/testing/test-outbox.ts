import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig, resolveSettings, type OptionsInput, type Settings } from '#config/index.ts';
import { openSnapshot, addMessage, listMessages, readQueue, type OutboxMessage } from '#snapshot/index.ts';
import type { Change } from '../../report/sync-report.ts';
import { composeMessage } from '../compose-message.ts';
import { sendOutbox, type SendOutboxOptions, type Delivery } from '../send-outbox.ts';

export interface TestOutbox {
  settings: Settings;
  environment: NodeJS.ProcessEnv;
  /** Logged messages. */
  log: string[];
  /** Commits a change, as a sync does. Returns the catalogue's new digest. */
  change(...changes: Partial<Change>[]): string;
  send(options?: Partial<SendOutboxOptions>): Promise<Delivery[]>;
  /** Oldest first. */
  messages(): OutboxMessage[];
  remove(): Promise<void>;
}

/** Creates a snapshot that contains only an outbox. Tests only. */
export async function createTestOutbox(
  hooks: NonNullable<OptionsInput['hooks']>,
  { environment = {}, siteUrl }: { environment?: NodeJS.ProcessEnv; siteUrl?: string } = {},
): Promise<TestOutbox> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortiment-hooks-'));
  const config = defineConfig({
    site: { name: 'Test', ...(siteUrl !== undefined && { url: siteUrl }) },
    maker: { name: 'Test', address: ['Test'], email: 'test@test.example' },
    mainLanguage: 'de-de',
    hooks,
  });
  const settings = resolveSettings(folder, config, {});
  const log: string[] = [];
  const addLine = (line: string) => void log.push(line);
  const logger = { debug: addLine, info: addLine, warn: addLine, error: addLine };
  return {
    settings,
    environment,
    log,
    change: (...changes) => commitChange(settings, changes),
    send: (options) => sendOutbox(settings, { logger, environment, timeoutMs: 20_000, random: () => 0, ...options }),
    messages: () => {
      const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
      const messages = listMessages(snapshot.database).toReversed();
      snapshot.close();
      return messages;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Writes a new digest and its messages in one transaction. */
export function commitChange(settings: Settings, changes: readonly Partial<Change>[], at = new Date()): string {
  const snapshot = openSnapshot(settings.snapshotPath);
  const { database } = snapshot;
  database.exec('BEGIN IMMEDIATE');
  const previousDigest = snapshot.digest();
  const digest = `digest-${Number(previousDigest?.slice(7) ?? 0) + 1}`;
  const report = { runId: `run_${digest}`, digest, previousDigest, changes: changes.map(createChange) };
  for (const hook of settings.options.hooks) {
    const message = composeMessage(hook, report, readQueue(database, hook.name), at);
    if (message) addMessage(database, message);
  }
  database
    .prepare(`INSERT INTO meta VALUES ('digest', ?) ON CONFLICT DO UPDATE SET value = excluded.value`)
    .run(digest);
  database.exec('COMMIT');
  snapshot.close();
  return digest;
}

/** Creates a price change by default. */
export function createChange(changes: Partial<Change> = {}): Change {
  return {
    kind: 'product',
    id: '9524010000016',
    language: 'de-de',
    name: 'Produkt',
    change: 'changed',
    fields: [{ field: 'price', before: 1, after: 2 }],
    ...changes,
  };
}
