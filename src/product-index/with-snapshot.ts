import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { resolveSettings, type Options } from '#config/index.ts';
import { openSnapshot, type SnapshotReader } from '#snapshot/index.ts';
import { languageCodes } from './site-languages.ts';

/** Inputs of projections: the snapshot and the site's options. */
export interface LoaderSource {
  snapshot: SnapshotReader;
  options: Options;
  /** Codes of the languages that are built, in the interface's order. */
  languages: string[];
  /** Called for each record that is skipped. */
  warn: (message: string) => void;
}

/** Opens the project's snapshot for a loader, and closes it afterwards. */
export async function withSnapshot(
  context: LoaderContext,
  options: Options,
  load: (source: LoaderSource) => Promise<void>,
): Promise<void> {
  const { snapshotPath } = resolveSettings(fileURLToPath(context.config.root), options);
  const snapshot = openSnapshot(snapshotPath, { readOnly: true });
  try {
    const languages = languageCodes(snapshot, options);
    await load({ snapshot, options, languages, warn: (message) => context.logger.warn(message) });
  } finally {
    snapshot.close();
  }
}
