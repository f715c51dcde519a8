import { randomUUID } from 'node:crypto';
import type { Settings } from '#config/index.ts';
import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import type { BundleSources } from './bundle-sources.ts';
import type { SourceCollector } from './collect-sources.ts';
import { fingerprintProject, hasChangedSince } from './fingerprint-project.ts';

/** Names what a bundle was made of, and lists it. */
export interface SealedFingerprint {
  fingerprint: string;
  sources: BundleSources;
}

/**
 * Begins before Vite reads anything, so that what changes meanwhile is noticed.
 * @returns Gives the fingerprint when the bundle is there: one that no later project has, where something has changed.
 */
export function sealFingerprint(
  settings: Settings,
  languages: readonly string[],
  collector: SourceCollector,
): (collections: ReadonlyMap<string, CollectionEntries>) => SealedFingerprint {
  const begunMs = Date.now();
  const before = fingerprintProject(settings, languages);
  return (collections) => {
    const sources = collector.collected(collections);
    const isSame =
      fingerprintProject(settings, languages) === before && !hasChangedSince(settings.root, sources, begunMs);
    return { fingerprint: isSame ? fingerprintProject(settings, languages, sources) : randomUUID(), sources };
  };
}
