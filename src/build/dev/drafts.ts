import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Settings } from '#config/index.ts';
import { getErrorMessage, isSortimentError, SortimentError } from '#contracts/index.ts';
import { DRAFT_KINDS } from '#contracts/synced/draft-kinds.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { assetKindsFor } from '#sync/assets/asset-kinds.ts';
import { runSync } from '#sync/run-sync.ts';
import type { SyncLogger } from '#sync/sync-options.ts';
import { shareUpstreams } from '../upstreams/ensure-snapshot.ts';
import { createDraftsFolder } from './draft-copies.ts';

/** Requests of one page load, and reloads in quick succession, share a read. */
const MIN_INTERVAL_MS = 1000;

/** Maximum wait of a page for a read. Later it shows the drafts of the previous one, until Astro reloads it. */
const MAX_WAIT_MS = 5000;

/** Unpublished content for a development server, in a copy of the snapshot that builds never read. */
export type Drafts = Awaited<ReturnType<typeof openDrafts>>;

/**
 * Copies the snapshot and reads the drafts of the publishing site into the copy.
 * @param onChange Called after a read that changed the copy.
 * @throws SortimentError DRAFTS_FORBIDDEN if the account is missing or may not read drafts.
 */
export async function openDrafts(settings: Settings, logger: SyncLogger, onChange: () => Promise<void>) {
  const account = settings.publishingAccount;
  if (!account) throw createForbiddenError('PUBLISHING_USER and PUBLISHING_PASSWORD are not set.');
  const { upstreams } = await shareUpstreams(settings, (line) => logger.debug(line));
  if (!upstreams.publishing)
    throw new SortimentError('UPSTREAM_MISSING', 'Drafts need a publishing site, and PUBLISHING_URL is not set.', {
      hint: 'Set PUBLISHING_URL, or start without --drafts.',
    });
  const draftSettings = createDraftSettings(settings, createDraftsFolder(settings));
  copySnapshot(settings.snapshotPath, draftSettings.snapshotPath);
  const publishing = { ...upstreams.publishing, account };
  const kinds = { content: DRAFT_KINDS, assets: assetKindsFor(settings.options) };
  // Astro's logger has its methods on the prototype, so that a copy would lack them.
  const quiet: SyncLogger = {
    debug: (line) => logger.debug(line),
    info: (line) => logger.debug(line),
    warn: (line) => logger.warn(line),
    error: (line) => logger.error(line),
  };
  let lastRead = 0;
  let running: Promise<void> | undefined;
  const read = async (): Promise<boolean> => {
    const { changed } = await runSync(draftSettings, { upstreams: { publishing }, kinds, logger: quiet });
    lastRead = Date.now();
    return changed;
  };
  const update = async (): Promise<void> => {
    try {
      if (await read()) await onChange();
    } catch (error) {
      // The pages of the last read stay.
      logger.error(`Drafts couldn't be updated. ${getErrorMessage(error)}`);
    }
  };
  try {
    await read();
  } catch (error) {
    if (!isSortimentError(error) || !['UPSTREAM_UNAUTHORISED', 'UPSTREAM_REFUSED'].includes(error.code)) throw error;
    throw createForbiddenError(error.message);
  }
  return {
    /** Settings with the copied snapshot. */
    settings: draftSettings,
    /** Reads the current drafts before each page. */
    middleware: (req: IncomingMessage, _res: unknown, next: () => void): void => {
      const isPage = req.headers.accept?.includes('text/html') === true && req.method === 'GET';
      if (!isPage || Date.now() - lastRead < MIN_INTERVAL_MS) return next();
      running ??= update().finally(() => (running = undefined));
      void Promise.race([running, setTimeout(MAX_WAIT_MS, undefined, { ref: false })]).then(() => next());
    },
  };
}

/** Returns the settings with a separate snapshot. Its changes are neither guarded nor sent to hooks. */
function createDraftSettings(settings: Settings, home: string): Settings {
  const { sync } = settings.options;
  const guard = { ...sync.guard, removed: 1, emptied: 1, repriced: 1, hidden: 1, failed: 1 };
  const sources = { ...sync.sources, publishing: { ...sync.sources.publishing, whenDown: 'fail' as const } };
  return {
    ...settings,
    home,
    snapshotPath: path.join(home, 'snapshot.sqlite'),
    options: { ...settings.options, hooks: [], sync: { ...sync, guard, sources, recheckMediaHours: Infinity } },
  };
}

function copySnapshot(from: string, to: string): void {
  using snapshot = openSnapshot(from, { readOnly: true });
  snapshot.database.prepare('VACUUM INTO ?').run(to);
}

function createForbiddenError(reason: string): SortimentError {
  return new SortimentError('DRAFTS_FORBIDDEN', `Drafts can't be read: ${reason}`, {
    hint:
      'Set PUBLISHING_USER and PUBLISHING_PASSWORD to the name and an application password of a user with the ' +
      'capabilities `edit_posts` (posts, episodes) and `edit_pages` (pages), such as an editor.',
  });
}
