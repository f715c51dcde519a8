import type { ImportKind } from '#contracts/index.ts';
import { importReport as openReport, type KindReport } from './import-report.ts';
import { connectSite, type SiteAccess } from './connect-site.ts';
import { openDestination, type RunCommand } from './destination.ts';
import { importComments } from './import-comments.ts';
import { importMedia } from './import-media.ts';
import { importPeople } from './import-people.ts';
import type { ImportRun } from './import-run.ts';
import { importSettings } from './import-settings.ts';
import { importTerms } from './import-terms.ts';
import { importPages, importPosts, requireEditor } from './import-articles.ts';
import { noteRemoved } from './note-removed.ts';
import { removeStaged } from './remove-staged.ts';
import { wordFailure } from './word-failure.ts';

export interface SiteImportOptions extends SiteAccess {
  /** Runs the commands of the origin that is imported into. */
  run: RunCommand;
  /** Further addresses that files may be fetched from. */
  filesFrom?: readonly string[];
  /** Told how many records of a kind were dealt with. */
  progress?: (state: { kind: ImportKind; done: number; total: number | undefined }) => void;
}

export interface SiteImport {
  /** Address of the site. */
  source: string;
  /** Whether anything is here now that was not before. */
  changed: boolean;
  kinds: KindReport[];
}

/**
 * Copies a publishing site over its interface: what is new, and what was changed there since the last time. What was
 * changed here stays. Each record is written whole or not at all, so an import that broke off goes on when it is
 * run again.
 *
 * @throws SortimentError IMPORT_NO_INTERFACE, IMPORT_NOT_SIGNED_IN, IMPORT_NOT_PERMITTED, IMPORT_STOPPED, UPSTREAM_…,
 *   and those of the destination. No message holds the password.
 */
export async function importSite(options: SiteImportOptions): Promise<SiteImport> {
  try {
    return await copySite(options);
  } catch (error) {
    throw wordFailure(error, { secret: options.password, signal: options.signal });
  }
}

async function copySite(options: SiteImportOptions): Promise<SiteImport> {
  const connected = await connectSite(options);
  const report = openReport();
  try {
    await requireEditor(connected);
    const destination = await openDestination(options.run, connected.source);
    const run: ImportRun = {
      ...connected,
      destination,
      report,
      authors: new Set(),
      seen: new Map(),
      filesFrom: options.filesFrom ?? [],
      progress(kind, total) {
        const counts = report.read().find((entry) => entry.kind === kind);
        if (!counts) return;
        // Posts come in several lists, one for each status; a total that is smaller is that of the last of them only.
        const done = counts.found;
        options.progress?.({ kind, done, total: total === undefined || total < done ? undefined : total });
      },
    };
    try {
      await importPeople(run);
      await importTerms(run);
      // Before anything is written that would pass for this site's own.
      await importSettings(run);
      await importMedia(run);
      await importPages(run);
      await importPosts(run);
      await importComments(run);
      await settle(run);
      await noteRemoved(run);
    } finally {
      await removeStaged(destination.folder);
    }
  } finally {
    await connected.transport.close();
  }
  const kinds = report.read();
  const changed = kinds.some(({ added, updated }) => added + updated > 0);
  return { source: connected.source.site, changed, kinds };
}

async function settle({ destination, report }: ImportRun): Promise<void> {
  const { open } = await destination.settle();
  for (const { kind, id, to } of open) {
    const targets = Object.entries(to).map(([name, target]) => `${name.replace(/Id$/, '')} ${target}`);
    report.lose(kind as ImportKind, 'refers to what did not come, or hangs on it itself', [
      `${id} -> ${targets.join(', ')}`,
    ]);
  }
}
