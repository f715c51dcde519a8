import { listComments } from '#contracts/core/comment-routes.ts';
import {
  getCategory,
  getMedia,
  getPage,
  getPost,
  getTag,
  listCategories,
  listTags,
  listMedia,
} from '#contracts/core/routes.ts';
import { type Media, MAX_UPLOAD_BYTES } from '#contracts/core/media.ts';
import { getSettings, settings } from '#contracts/core/site-resources.ts';
import { decodeEntities } from '#contracts/html/html-text.ts';
import { episodePageRoutes } from '#contracts/podcast/episode-routes.ts';
import {
  IMPORT_COMMANDS,
  type ImportKind,
  trackedKind,
  type ImportSettings,
  type StagedFile,
} from '#contracts/import.ts';
import {
  connectSite,
  type SiteAccess,
  type ImportRun,
  isAccessError,
  readRows,
  readStatuses,
  createImportReport,
  type ImportResult,
} from './connect-site.ts';
import {
  fetchFile,
  fileName,
  isAllowedFileAddress,
  removeStagedFiles,
  runStep,
  stepsFrom,
  type RunCommand,
} from './destination.ts';
import {
  importPages,
  importPosts,
  ensureEditorAccess,
  sortParentsFirst,
  importPeople,
  importAuthors,
} from './import-articles.ts';
import { importPodcast } from './import-podcast.ts';
import { describeImportError } from './import-products.ts';
import { sendRecords, formatRowName, type LoadDetails } from './send-records.ts';
import { SortimentError } from '#contracts/index.ts';
import { displayUrl } from '#client/upstream-result.ts';

const copied = { title: true, description: true, timezone: true, default_category: true } as const;

/** The destination decodes images, so only a few are sent at once. */
const BATCH = 4;

const ROUTES = {
  category: getCategory,
  tag: getTag,
  media: getMedia,
  page: getPage,
  post: getPost,
  episode: episodePageRoutes.get,
} as const;

const STATUSES = ['approve', 'hold', 'spam', 'trash'] as const;

export interface SiteImportOptions extends SiteAccess {
  /** Runs the commands of the origin that is imported into. */
  run: RunCommand;
  /** Further addresses that files may be fetched from. */
  filesFrom?: readonly string[];
  /** Called with the number of processed records of a kind. */
  progress?: (state: { kind: ImportKind; done: number; total: number | undefined }) => void;
}

/**
 * Copies new and changed records of a publishing site. Records that were edited locally are left as they are. Each
 * record is written atomically, so an interrupted import can be resumed.
 *
 * @throws SortimentError IMPORT_NO_INTERFACE, IMPORT_NOT_SIGNED_IN, IMPORT_NOT_PERMITTED, IMPORT_STOPPED, UPSTREAM_…,
 * and the errors of the destination. No message contains the password.
 */
export async function importSite(options: SiteImportOptions): Promise<ImportResult> {
  try {
    return await copySite(options);
  } catch (error) {
    throw describeImportError(error, { secret: options.password, signal: options.signal });
  }
}

async function copySite(options: SiteImportOptions): Promise<ImportResult> {
  const connected = await connectSite(options);
  const report = createImportReport();
  try {
    await ensureEditorAccess(connected);
    const { folder } = await runStep(options.run, IMPORT_COMMANDS.begin, {});
    const run: ImportRun = {
      ...connected,
      folder,
      step: stepsFrom(connected.source, options.run),
      report,
      authors: new Set(),
      seen: new Map(),
      failures: 0,
      hosts: [...connected.fileAddresses, ...(options.filesFrom ?? [])],
      progress(kind, total) {
        const counts = report.read().find((entry) => entry.kind === kind);
        if (!counts) return;
        // Posts come in one list per status. A smaller total is that of the last list only.
        const done = counts.found;
        options.progress?.({ kind, done, total: total === undefined || total < done ? undefined : total });
      },
    };
    try {
      await importPeople(run);
      await importTerms(run);
      // Before any content is written that would count as the site's existing content.
      await importSettings(run);
      await importMedia(run);
      await importPages(run);
      await importPosts(run);
      await importPodcast(run);
      await importComments(run);
      await resolveReferences(run);
      await reportDeleted(run);
    } finally {
      await removeStagedFiles(folder);
    }
  } finally {
    await connected.transport.close();
  }
  return report.result(connected.source.site);
}

async function resolveReferences({ step, report }: ImportRun): Promise<void> {
  const { open } = await step(IMPORT_COMMANDS.settle, {});
  for (const { kind, id, to } of open) {
    const targets = Object.entries(to).map(([name, target]) => `${name.replace(/Id$/, '')} ${target}`);
    report.lose(kind as ImportKind, 'refers to a record that was not imported, or to itself', [
      `${id} -> ${targets.join(', ')}`,
    ]);
  }
}

async function importComments(run: ImportRun): Promise<void> {
  const found = [];
  for await (const rows of readStatuses(run, listComments, 'comment', STATUSES)) found.push(...rows);
  await sendRecords(sortParentsFirst(found), { ...run, kind: 'comment' });
  run.progress('comment', found.length);
}

/**
 * Reports records that were deleted at the source since an earlier import. They are not deleted here. Missing ones are
 * requested by ID, because they may only be hidden from the account.
 */
async function reportDeleted({ client, step, report, seen }: ImportRun): Promise<void> {
  for (const kind of trackedKind.options) {
    const { absent } = await step(IMPORT_COMMANDS.absent, { kind, seen: [...(seen.get(kind) ?? [])] });
    const removed: string[] = [];
    for (const row of absent) {
      const { kind: responseKind } = await client.call<(typeof ROUTES)[typeof kind]>(ROUTES[kind], {
        params: { id: row.id },
      });
      if (responseKind === 'gone') removed.push(formatRowName(row));
    }
    if (removed.length > 0) report.note(kind, 'was deleted at the source, but still exists here', removed);
  }
}

/** Copies categories, parents first, and tags. The view context contains everything that is copied. */
async function importTerms(run: ImportRun): Promise<void> {
  const categories = await collect(run, listCategories, 'category');
  await sendRecords(sortParentsFirst(categories), { ...run, kind: 'category' });
  run.progress('category', categories.length);
  await sendRecords(await collect(run, listTags, 'tag'), { ...run, kind: 'tag' });
}

async function collect<R extends typeof listCategories | typeof listTags>(
  run: ImportRun,
  route: R,
  kind: 'category' | 'tag',
) {
  const read = async (context: 'edit' | 'view') => {
    const rows = [];
    for await (const page of readRows(run, route, { context } as never, { kind, report: run.report }))
      rows.push(...page.rows);
    return rows;
  };
  return read('edit').catch((error: unknown) => {
    if (!isAccessError(error)) throw error;
    return read('view');
  });
}

async function importMedia(run: ImportRun): Promise<void> {
  const complete: LoadDetails<Media> = async (row, isKnown) => {
    if (isKnown) return {};
    const fetched = await fetchMediaFile(run, row);
    if ('file' in fetched) return { file: fetched.file };
    run.report.leave('media', fetched.problem, [formatRowName(row)]);
    return undefined;
  };
  for await (const rows of readStatuses(run, listMedia, 'media', ['inherit', 'private', 'trash'])) {
    await importAuthors(run, rows);
    await sendRecords(rows, { ...run, kind: 'media', batch: BATCH, complete });
  }
}

/** Copies title, description and time zone, from the settings or otherwise the site index. */
async function importSettings(run: ImportRun): Promise<void> {
  const { report, step } = run;
  report.found('settings', 1);
  const siteSettings = await readSettings(run);
  const { outcome, note } = await step(IMPORT_COMMANDS.settings, { settings: siteSettings });
  report.became('settings', outcome, 'title, description, timezone', note);
}

async function readSettings({ client, site, report }: ImportRun): Promise<ImportSettings> {
  const response = await client.call({
    ...getSettings,
    response: settings.pick(copied).partial({ default_category: true }),
  });
  const stored = response.kind === 'ok' ? response.value.body : undefined;
  if (!stored) report.note('settings', 'the default category is not shown to this account', []);
  // Servers store these two as HTML.
  return {
    title: decodeEntities(stored?.title ?? site.name),
    description: decodeEntities(stored?.description ?? site.description),
    timezone: stored?.timezone || site.timeZone,
    ...(stored?.default_category !== undefined && { default_category: stored.default_category }),
  };
}

const DEADLINE_MS = 10 * 60_000;
const MAX_FAILURES = 5;

/**
 * Fetches the uploaded file of a media item into the destination's folder. Prefers the original to a scaled-down copy.
 * Only the site itself and explicitly allowed addresses are contacted.
 *
 * @throws SortimentError UPSTREAM_UNAVAILABLE if several files in a row fail
 */
async function fetchMediaFile(run: ImportRun, medium: Media): Promise<{ file: StagedFile } | { problem: string }> {
  const address = medium.source_url;
  if (!URL.canParse(address)) return { problem: 'its file address is invalid' };
  const original = medium.media_details['original_image'];
  const urls =
    typeof original === 'string' ? [new URL(encodeURIComponent(original), address).href, address] : [address];
  let problem = 'has no file';
  for (const url of urls) {
    const fetched = await fetchOne(run, url);
    if ('problem' in fetched) problem = fetched.problem;
    else return { file: { staged: fetched.staged, name: fileName(url) } };
  }
  return { problem };
}

async function fetchOne(run: ImportRun, url: string): Promise<{ staged: string } | { problem: string }> {
  if (!isAllowedFileAddress(url, run.hosts))
    return { problem: `its file is on another host, allow it with --files-from: ${new URL(url).origin}` };
  const fetched = await fetchFile(run, url, { maxBytes: MAX_UPLOAD_BYTES, deadlineMs: DEADLINE_MS });
  if ('staged' in fetched) {
    run.failures = 0;
    return fetched;
  }
  if (fetched.isServerFailure) run.failures += 1;
  if (run.failures < MAX_FAILURES) return { problem: `its file could not be fetched: ${fetched.problem}` };
  const message = `[GET] "${displayUrl(url)}": ${fetched.problem}. The ${run.failures - 1} previous files failed too.`;
  throw new SortimentError('UPSTREAM_UNAVAILABLE', message, { hint: 'Try again later.' });
}
