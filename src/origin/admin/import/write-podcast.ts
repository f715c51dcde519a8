import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, or } from 'drizzle-orm';
import { podcastImport, showImport, type PodcastImport, type ImportRecord } from '#contracts/import.ts';
import { parseDisplayCategory, parseDisplayLanguage } from '#contracts/podcast/record.ts';
import { normalizeWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { cleanFileName } from '#origin/platform/media/media-files.ts';
import { detectUploadType } from '#origin/namespaces/core/media/plan-media.ts';
import { EPISODE_FILES_FOLDER } from '#origin/namespaces/podcast/media/list-files.ts';
import { PLAYER_OPTION } from '#origin/namespaces/podcast/player/player-options.ts';
import {
  createPodcastRecord,
  PODCAST_OPTION,
  PODCAST_EVENT,
  type PodcastRecord,
} from '#origin/namespaces/podcast/podcast-record.ts';
import { SHOW_EVENT, toShowColumns } from '#origin/namespaces/podcast/shows.ts';
import { podcastEpisode, podcastShow } from '#origin/namespaces/podcast/tables.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { option } from '#origin/platform/store/schema.ts';
import {
  getStagingFolder,
  type ImportJob,
  digestValue,
  findImported,
  parseWire,
  saveImportedRows,
  writeTracked,
  type Outcome,
} from './tracked-record.ts';
import { rewriteAddresses } from './rewrite-addresses.ts';

const MAX_COVER_BYTES = 20 * 1024 ** 2;

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
      cover_image: await resolveImageAddress(tx, job, remote.poster, covers),
      modified: new Date().toISOString(),
    };
    await tx.update(option).set({ value }).where(eq(option.name, PODCAST_OPTION));
    await announce(tx, { what: PODCAST_EVENT, id: PODCAST_OPTION, action: 'updated' });
    const base = { source: site, kind: 'podcast', sourceId: record.id, ownId: 0, digest: record.digest };
    await saveImportedRows(tx, [{ ...base, ownDigest: digestRecord(value) }]);
    const note = await savePlayer(tx, player);
    return { outcome: known ? 'updated' : 'added', ...(note === undefined ? {} : { note }) };
  });
}

/** Writes the player's settings unless the site already has some. */
async function savePlayer(tx: Transaction, player: PodcastImport['player']): Promise<string | undefined> {
  if (!player) return undefined;
  const [added] = await tx
    .insert(option)
    .values({ name: PLAYER_OPTION, value: player })
    .onConflictDoNothing()
    .returning();
  return added ? undefined : 'the player is already set up here and was left unchanged';
}

function recordOf(remote: PodcastImport['podcast']): Partial<PodcastRecord> {
  const { poster: _, category, language, ...texts } = remote;
  const guid = texts.guid === null ? {} : { guid: texts.guid };
  return {
    ...texts,
    ...guid,
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

/**
 * Stores the fetched images of a record under unique names.
 *
 * @returns local addresses by source address
 */
export async function storeCovers(
  { context, home }: ImportJob,
  { files = [] }: ImportRecord,
): Promise<ReadonlyMap<string, string>> {
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
export async function resolveImageAddress(
  tx: Transaction,
  job: ImportJob,
  address: string | null,
  covers: ReadonlyMap<string, string>,
): Promise<string | null> {
  const whole = normalizeWebAddress(address ?? '');
  if (!address || whole === undefined) return null;
  return covers.get(address) ?? (await rewriteAddresses(tx, job, { whole })).whole;
}
