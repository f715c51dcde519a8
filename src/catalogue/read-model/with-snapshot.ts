import type { Options, Settings } from '#config/index.ts';
import type { InvalidFieldValue } from './field-views.ts';
import type { ListedOverlay } from './read-overlays.ts';
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
  /** Data of overlays by ID. */
  overlays?: ReadonlyMap<string, ListedOverlay>;
  /** Called for each value of `product.fields` that is left out. */
  onInvalidField?: (invalid: InvalidFieldValue) => void;
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

export function languageCodes(
  snapshot: Pick<SnapshotReader, 'languages'>,
  options: Pick<Options, 'languages' | 'mainLanguage'>,
): string[] {
  return siteLanguages(snapshot, options).map(({ code }) => code);
}

/** Reads the digest of the snapshot and the languages to build, before any content is loaded. */
export function readSnapshotState(settings: Pick<Settings, 'snapshotPath' | 'options'>): {
  digest: string | undefined;
  languages: string[];
} {
  using snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  return { digest: snapshot.digest(), languages: languageCodes(snapshot, settings.options) };
}

/** Lists the sources that the last run couldn't read, with the ISO timestamp of their stored content. */
export function listStaleSources(snapshot: Pick<SnapshotReader, 'sources'>) {
  return snapshot
    .sources()
    .filter(({ failedSince }) => failedSince !== undefined)
    .map(({ name, lastSuccess }) => ({ name, asOf: lastSuccess }));
}

/** An entry before validation by the collection's schema. */
export interface ProjectedEntry {
  id: string;
  data: Record<string, unknown>;
  /** Creates the field `html`. Called only if the entry is new or changed, so `digestInputs` must cover its inputs. */
  html?: () => string;
  /** Computes fields from `data` and `html`. Called only if the entry is new or changed, because it is slow. */
  derive?: (html: string) => Record<string, unknown>;
  /** Content that pages show in addition to `data`. Part of the digest. */
  digestInputs?: unknown;
}

/** Returns the data of an entry with its HTML, without derived fields. */
export function entryData({ data, html }: Pick<ProjectedEntry, 'data' | 'html'>): Record<string, unknown> {
  return html ? { ...data, html: html() } : data;
}

/**
 * Increment it when a schema in `entries.ts` or `html` gives other results for the same input. Astro keeps its store if
 * a file changes that `content.config.ts` only imports.
 */
export const LOADER_VERSION = 7;
