import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { resolveSettings, type Options } from '#config/index.ts';
import { openSnapshot, type SnapshotReader, type LanguageRecord } from '#snapshot/index.ts';
import { languageName } from '#contracts/product/index.ts';

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

/**
 * Returns the languages to build, in the interface's order: all in the snapshot, or those selected in the options.
 * If there is no product interface, returns those of the options, at least the main one.
 */
export function siteLanguages(
  snapshot: Pick<SnapshotReader, 'languages'>,
  { languages: chosen, mainLanguage }: Pick<Options, 'languages' | 'mainLanguage'>,
): LanguageRecord[] {
  const listed = snapshot.languages().map(({ code, name }) => ({ code, name }));
  if (listed.length > 0) return chosen === 'all' ? listed : listed.filter(({ code }) => chosen.includes(code));
  const codes = chosen === 'all' ? [mainLanguage] : chosen;
  return codes.map((code) => ({ code, name: languageName(code) }));
}

/** Returns the codes of the languages to build. */
export function languageCodes(
  snapshot: Pick<SnapshotReader, 'languages'>,
  options: Pick<Options, 'languages' | 'mainLanguage'>,
): string[] {
  return siteLanguages(snapshot, options).map(({ code }) => code);
}
