import { stat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, ne, or } from 'drizzle-orm';
import {
  episodeImport,
  type EpisodeImport,
  type ImportRecord,
  podcastImport,
  showImport,
  type PodcastImport,
} from '#contracts/import.ts';
import { describeOmitted, parseTranscript } from '#contracts/podcast/transcript.ts';
import { FILE_TYPES, isMediaSlug, mediaFileName, type FileType } from '#contracts/podcast/media-names.ts';
import { isSafeLink, normalizeWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { parseLenientPlayTime, parsePlayTime } from '#contracts/podcast/play-time.ts';
import type { Chapter } from '#contracts/podcast/chapter.ts';
import { EPISODE_FILES_FOLDER } from '#origin/namespaces/podcast/media/list-files.ts';
import { checkFile, saveFile, type FileCheckResult } from '#origin/namespaces/podcast/media/episode-media.ts';
import {
  createPodcastRecord,
  PODCAST_OPTION,
  PODCAST_EVENT,
  type PodcastRecord,
} from '#origin/namespaces/podcast/podcast-record.ts';
import { podcastAsset, podcastEpisode, podcastShow } from '#origin/namespaces/podcast/tables.ts';
import { insertRow, writeContent } from '#origin/platform/content/resources/resource.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { diskFiles } from '#origin/platform/files/disk-files.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, option } from '#origin/platform/store/schema.ts';
import {
  getStagingFolder,
  type ImportJob,
  digestContent,
  findTracked,
  parseWire,
  writeRow,
  type Outcome,
  digestValue,
  findImported,
  saveImportedRow,
  writeTracked,
} from './tracked-record.ts';
import { writeArticle } from './write-article.ts';
import { rewriteAddresses } from './references.ts';
import { createHash } from 'node:crypto';
import { parseDisplayCategory, parseDisplayLanguage } from '#contracts/podcast/record.ts';
import { cleanFileName } from '#origin/platform/media/media-files.ts';
import { detectUploadType } from '#origin/namespaces/core/media/plan-media.ts';
import { PLAYER_OPTION } from '#origin/namespaces/podcast/player/serve-player.ts';
import { SHOW_EVENT, toShowColumns } from '#origin/namespaces/podcast/shows.ts';
import { announce } from '#origin/platform/events/announce.ts';

const MAX_NUMBER = 1_000_000;
const MAX_SEASON = 10_000;
const MAX_TRANSCRIPT_BYTES = 5_000_000;

interface StoredFile {
  title: string;
  suffix: string;
  type: FileType;
  size: number;
  etag: string;
  durationMs: number | null;
}

/**
 * Writes an episode with its page, chapters, tags and files. The guid is preserved. An existing episode with the same
 * guid or file name takes precedence.
 */
export async function writeImportedEpisode(job: ImportJob, record: ImportRecord): Promise<Outcome> {
  const remote = parseWire(episodeImport, record.wire);
  const { db } = job.context.store;
  const obstacle = await db.transaction((tx) => findObstacle(tx, job, record, remote));
  if (obstacle) return obstacle;
  const covers = await storeCovers(job, record);
  const remoteSlug = remote.episode.slug || null;
  const slug = remoteSlug !== null && isMediaSlug(remoteSlug) ? remoteSlug : null;
  const notes = slug === remoteSlug ? [] : ['was imported without files: its slug can not be part of a file name'];
  const storedFiles = slug === null ? [] : await storeFiles(job, record, remote, slug, notes);
  return writeContent(db, (tx) =>
    writeArticle(tx, job, record, 'episode', remote.page, async (page) => {
      await createPodcastRecord(tx, job.context.publicUrl);
      const poster = await resolveImageAddress(tx, job, remote.episode.episode_poster, covers);
      const episodeId = await writeEpisode(tx, job, page, remote, { slug, poster, notes });
      await writeFiles(tx, episodeId, storedFiles);
      return notes;
    }),
  );
}

/** Returns the outcome of an episode that is unchanged or can't be imported. */
async function findObstacle(
  tx: Transaction,
  { source }: ImportJob,
  { id, digest }: ImportRecord,
  { episode }: EpisodeImport,
): Promise<Outcome | undefined> {
  const recipe = { kind: 'episode', table: content, digest: digestContent } as const;
  const tracked = await findTracked(tx, source.site, id, digest, recipe);
  if ('outcome' in tracked) return tracked;
  const { guid, slug } = episode;
  const isSame = or(eq(podcastEpisode.guid, guid), slug ? eq(podcastEpisode.slug, slug) : undefined);
  const same = await tx
    .select()
    .from(podcastEpisode)
    .where(and(isSame, ne(podcastEpisode.contentId, tracked.before?.id ?? 0)));
  if (same.length === 0) return undefined;
  const hasGuid = same.some((row) => row.guid === guid);
  const note = hasGuid
    ? 'an episode with its guid already exists here'
    : `another episode here already has files named "${slug}"`;
  return { outcome: 'kept', note };
}

/** Stores the fetched files whose content matches their type. */
async function storeFiles(
  job: ImportJob,
  { files = [] }: ImportRecord,
  { media }: EpisodeImport,
  slug: string,
  notes: string[],
): Promise<StoredFile[]> {
  const storedFiles: StoredFile[] = [];
  for (const { asset: title, url } of media) {
    const file = files.find(({ address }) => address === url);
    if (!file) continue;
    const kind = file.name.startsWith(baseOf(slug)) ? findType(file.name.slice(baseOf(slug).length)) : undefined;
    if (!kind) {
      notes.push(`a file has an unknown name or type: ${file.name}`);
      continue;
    }
    const { warning, ...checked } = await checkStaged(job, file.staged, { title, ...kind });
    if (checked.problem !== undefined) {
      notes.push(checked.problem);
      continue;
    }
    if (warning) notes.push(warning);
    const { uploads } = job.context.files;
    const path = `${EPISODE_FILES_FOLDER}/${mediaFileName(slug, { suffix: kind.suffix, extension: kind.type.extension })}`;
    await uploads.putFile(path, join(getStagingFolder(job.context), file.staged));
    const stored = await uploads.open(path);
    await stored?.close();
    storedFiles.push({ title, ...kind, size: checked.size, etag: stored?.etag ?? '', durationMs: checked.durationMs });
  }
  return storedFiles;
}

/** Last segment of a slug. The others are folders. */
const baseOf = (slug: string): string => slug.slice(slug.lastIndexOf('/') + 1);

/** Splits the rest of a file name after the slug into an optional suffix and a known type. */
function findType(rest: string): { suffix: string; type: FileType } | undefined {
  const fitting = FILE_TYPES.filter(({ extension }) => rest.endsWith(`.${extension}`));
  const [type] = fitting.toSorted((a, b) => b.extension.length - a.extension.length);
  if (!type) return undefined;
  const suffix = rest.slice(0, -type.extension.length - 1);
  return /^[\w-]{0,40}$/.test(suffix) ? { suffix, type } : undefined;
}

async function checkStaged(
  { context }: ImportJob,
  staged: string,
  { title, type }: { title: string; type: FileType },
): Promise<FileCheckResult & { warning?: string | undefined }> {
  const folder = getStagingFolder(context);
  const location = { name: `"${title}"`, address: '', path: staged };
  const files = { ...context.files, uploads: diskFiles(folder) };
  const checked = await checkFile({ files }, location, { type });
  const format = ({ vtt: 'webvtt', srt: 'srt' } as const)[type.extension as 'vtt' | 'srt'];
  if (checked.problem !== undefined || !format) return checked;
  const file = join(folder, staged);
  const read =
    (await stat(file)).size > MAX_TRANSCRIPT_BYTES ? undefined : parseTranscript(format, await readFile(file, 'utf8'));
  if (!read?.ok) return { ...checked, problem: `"${title}" is not a readable WebVTT or SRT transcript` };
  const omitted = describeOmitted(read.omitted);
  return { ...checked, warning: omitted && `"${title}" has unreadable parts that players skip: ${omitted}` };
}

/** Creates or updates an episode. @returns its ID */
async function writeEpisode(
  tx: Transaction,
  job: ImportJob,
  page: ContentRow,
  { episode, chapters }: EpisodeImport,
  { slug, poster, notes }: { slug: string | null; poster: string | null; notes: string[] },
): Promise<number> {
  const [show] =
    episode.show === '' ? [] : await tx.select().from(podcastShow).where(eq(podcastShow.slug, episode.show));
  if (episode.show !== '' && !show) notes.push(`its show "${episode.show}" was not imported`);
  const reportUnreadable = <T>(name: string, text: string | null, read: T | null): T | null => {
    if (text && read === null) notes.push(`its ${name} can not be read: "${text}"`);
    return read;
  };
  const time = (name: string, text: string | null) => reportUnreadable(name, text, timeOrNull(text));
  const duration = time('duration', episode.duration);
  const values = {
    contentId: page.id,
    guid: episode.guid,
    title: episode.title_clean,
    subtitle: episode.subtitle || null,
    summary: episode.summary || null,
    number: within(episode.number, 0, MAX_NUMBER),
    season: within(episode.season ?? null, 1, MAX_SEASON),
    type: episode.type,
    slug,
    slugFrozen: episode.slug_frozen,
    duration: parsePlayTime(duration ?? '') ? duration : null,
    poster,
    recordingDate: episode.recording_date,
    explicit: episode.explicit,
    licenseName: episode.license_name,
    licenseUrl: reportUnreadable(
      'address of a license',
      episode.license_url,
      normalizeWebAddress(episode.license_url ?? '') ?? null,
    ),
    soundbiteStart: time('soundbite_start', episode.soundbite_start),
    soundbiteDuration: time('soundbite_duration', episode.soundbite_duration),
    soundbiteTitle: episode.soundbite_title,
    chapters: await readChapters(tx, job, chapters, notes),
    showId: show?.id ?? null,
  };
  const [known] = await tx
    .select({ id: podcastEpisode.id })
    .from(podcastEpisode)
    .where(eq(podcastEpisode.contentId, page.id));
  const { id } = await writeRow(tx, podcastEpisode, { ownId: known?.id, sourceId: episode.id }, values);
  return id;
}

const within = (value: number | null, least: number, most: number) =>
  value !== null && value >= least && value <= most ? value : null;

/** Returns a play time in the form of this interface; null for anything else. */
function timeOrNull(text: string | null): string | null {
  const time = (text ?? '').trim().replace(',', '.');
  return parsePlayTime(time) === undefined ? null : time;
}

/** Converts chapters and rewrites their links. Unsafe links, and chapters without a time, are skipped. */
async function readChapters(tx: Transaction, job: ImportJob, items: EpisodeImport['chapters'], notes: string[]) {
  const links = items.flatMap(({ href, image }, i) => [[`href ${i}`, href] as const, [`image ${i}`, image] as const]);
  const unsafe = links.filter(([, link]) => link !== '' && !isSafeLink(link));
  if (unsafe.length > 0) notes.push(`unsafe chapter links were skipped: ${unsafe.length}`);
  const safe = links.filter(([, link]) => link !== '' && isSafeLink(link));
  const untimed = items.filter(({ start }) => parseLenientPlayTime(start) === undefined);
  if (untimed.length > 0) notes.push(`chapters without a readable start were skipped: ${untimed.length}`);
  const rewritten: Record<string, string> = await rewriteAddresses(tx, job, Object.fromEntries(safe));
  return items.flatMap(({ start, title }, i): Chapter[] => {
    const startMs = parseLenientPlayTime(start);
    if (startMs === undefined) return [];
    const [href, image] = [rewritten[`href ${i}`], rewritten[`image ${i}`]];
    return [{ startMs, title, ...(href && { href }), ...(image && { image }) }];
  });
}

async function writeFiles(tx: Transaction, episodeId: number, storedFiles: readonly StoredFile[]): Promise<void> {
  for (const file of storedFiles) {
    const { title, suffix, type } = file;
    const condition = and(eq(podcastAsset.fileType, type.extension), eq(podcastAsset.suffix, suffix));
    const [known] = await tx.select({ id: podcastAsset.id }).from(podcastAsset).where(condition);
    const identifier = `${type.extension}${suffix}`;
    const asset =
      known ??
      (await insertRow(tx, podcastAsset, {
        title,
        identifier,
        fileType: type.extension,
        suffix,
        position: await tx.$count(podcastAsset),
      }));
    await saveFile(tx, { episodeId, assetId: asset.id, active: true }, file);
  }
}

const MAX_COVER_BYTES = 20 * 1024 ** 2;

type Covers = ReadonlyMap<string, string>;

/** Writes the podcast and the player's settings unless the site already has a podcast. */
export async function writeImportedPodcast(job: ImportJob, record: ImportRecord): Promise<Outcome> {
  const { podcast: remote, player } = parseWire(podcastImport, record.wire);
  const covers = await storeCovers(job, record);
  return writeContent(job.context.store.db, async (tx) => {
    const { site } = job.source;
    const [known] = await findImported(tx, site, 'podcast', [record.id]);
    if (known?.digest === record.digest) return { outcome: 'unchanged' };
    const before = await createPodcastRecord(tx, job.context.publicUrl);
    if (known && known.ownDigest !== digestRecord(before)) return { outcome: 'kept', note: 'was changed here' };
    if (!known && (before.title !== null || (await tx.$count(podcastEpisode)) > 0))
      return { outcome: 'kept', note: 'a podcast already exists here' };
    const value: PodcastRecord = {
      ...before,
      ...recordOf(remote),
      guid: remote.guid ?? before.guid,
      cover_image: await resolveImageAddress(tx, job, remote.poster, covers),
      modified: new Date().toISOString(),
    };
    await tx.update(option).set({ value }).where(eq(option.name, PODCAST_OPTION));
    await announce(tx, { what: PODCAST_EVENT, id: PODCAST_OPTION, action: 'updated' });
    const base = { source: site, kind: 'podcast', sourceId: record.id, ownId: 0, digest: record.digest };
    await saveImportedRow(tx, { ...base, ownDigest: digestRecord(value) });
    const outcome = known ? 'updated' : 'added';
    if (!player) return { outcome };
    const playerOption = { name: PLAYER_OPTION, value: player };
    const added = await tx.insert(option).values(playerOption).onConflictDoNothing().returning();
    if (added.length > 0) return { outcome };
    return { outcome, note: 'the player is already set up here and was left unchanged' };
  });
}

function recordOf(remote: PodcastImport['podcast']): Partial<PodcastRecord> {
  const { poster: _, category, language, ...texts } = remote;
  return {
    ...texts,
    category: parseDisplayCategory(category) ?? null,
    language: parseDisplayLanguage(language) ?? null,
  } as Partial<PodcastRecord>;
}

function digestRecord(stored: PodcastRecord): string {
  const { modified: _, ...record } = stored;
  return digestValue(record);
}

/** Writes a show. An existing show with the same slug or guid is used unchanged. */
export async function writeImportedShow(job: ImportJob, record: ImportRecord): Promise<Outcome> {
  const { show: remote } = parseWire(showImport, record.wire);
  const covers = await storeCovers(job, record);
  return writeContent(job.context.store.db, (tx) =>
    writeTracked(tx, job, record, {
      kind: 'show',
      table: podcastShow,
      digest: (show) => digestValue({ ...show, id: undefined }),
      match: async () => {
        const isSame = or(eq(podcastShow.slug, remote.slug), eq(podcastShow.guid, remote.guid));
        const [row] = await tx.select().from(podcastShow).where(isSame);
        return row && { row, note: 'already existed here' };
      },
      plan: async () => ({
        values: {
          ...toShowColumns(remote),
          category: parseDisplayCategory(remote.category) ?? null,
          image: await resolveImageAddress(tx, job, remote.image, covers),
        },
      }),
      finish: (before, { id }) =>
        announce(tx, { what: SHOW_EVENT, id: String(id), action: before ? 'updated' : 'created' }),
    }),
  );
}

/** Stores the fetched images of a record under unique names. @returns local addresses by source address */
async function storeCovers({ context, home }: ImportJob, { files = [] }: ImportRecord): Promise<Covers> {
  const localAddresses = new Map<string, string>();
  for (const { staged, name, address } of files) {
    const file = join(getStagingFolder(context), staged);
    if ((await stat(file)).size > MAX_COVER_BYTES) continue;
    const bytes = await readFile(file);
    const recognised = await detectUploadType(bytes, cleanFileName(name));
    if (!recognised?.mimeType.startsWith('image/')) continue;
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const path = `${EPISODE_FILES_FOLDER}/covers/${hash}-${recognised.base}.${recognised.extension}`;
    await context.files.uploads.put(path, bytes);
    localAddresses.set(address, `${home}/uploads/${path}`);
  }
  return localAddresses;
}

/** Returns the local address of an imported image, otherwise the original address. */
async function resolveImageAddress(tx: Transaction, job: ImportJob, address: string | null, covers: Covers) {
  const whole = normalizeWebAddress(address ?? '');
  if (!address || whole === undefined) return null;
  return covers.get(address) ?? (await rewriteAddresses(tx, job, { whole })).whole;
}
