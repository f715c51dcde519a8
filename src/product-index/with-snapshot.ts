import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { resolveSettings, type Options } from '#config/index.ts';
import { openSnapshot, type SnapshotReader } from '#snapshot/index.ts';
import { languageCodes } from './site-languages.ts';

/** What projections read from: the snapshot and the choices of the site, nothing else. */
export interface LoaderSource {
  snapshot: SnapshotReader;
  options: Options;
  /** Codes of the languages that are built, in the interface's order. */
  languages: string[];
  /** Called for everything that had to be left out. */
  warn: (message: string) => void;
}

const openedSnapshots = new WeakMap<LoaderContext, SnapshotReader>();

/** Makes the loader with this context read from an open snapshot. */
export function shareSnapshot(context: LoaderContext, snapshot: SnapshotReader): void {
  openedSnapshots.set(context, snapshot);
}

/** Reads the project's snapshot for one loader: the shared one, or one that is opened for it and closed afterwards. */
export async function withSnapshot(
  context: LoaderContext,
  options: Options,
  load: (source: LoaderSource) => Promise<void>,
): Promise<void> {
  const loadFrom = async (snapshot: SnapshotReader): Promise<void> => {
    const languages = languageCodes(snapshot, options);
    await load({ snapshot, options, languages, warn: (message) => context.logger.warn(message) });
  };
  const opened = openedSnapshots.get(context);
  if (opened) return loadFrom(opened);
  const { snapshotPath } = resolveSettings(fileURLToPath(context.config.root), options);
  const snapshot = openSnapshot(snapshotPath, { readOnly: true });
  try {
    await loadFrom(snapshot);
  } finally {
    snapshot.close();
  }
}
