import { readdir, readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import pLimit from 'p-limit';
import { EPISODE_FILES_FOLDER } from '#origin/namespaces/podcast/media/list-files.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { makeImageSizes, measureImage, NO_IMAGE_META } from '#origin/platform/media/image-work.ts';
import { describeSize, sizeName } from '#origin/platform/media/media-files.ts';
import { DEMO_LANGUAGES, type DemoContent, type DemoPodcast } from './demo-content.ts';

/** Written once all files exist. */
const MARKER = '.demo';

const CONCURRENT_FILES = 8;

/** Below the uploads folder. */
export const UPLOADS_MONTH = '2026/01';

/** A media item: a motif in one language. */
export interface DemoUpload {
  key: string;
  language: string;
  /** Path below the uploads folder. */
  file: string;
  mediaDetails: Record<string, unknown>;
}

type FileStores = Pick<OriginContext, 'files' | 'filesFolder'>;

/** Copies all files of the demo to the origin, and makes the sizes of its images. Existing files stay. */
export async function copyDemoFiles(
  folder: string,
  { media, podcast }: Pick<DemoContent, 'media' | 'podcast'>,
  { files }: Pick<FileStores, 'files'>,
): Promise<DemoUpload[]> {
  const mediaFolder = join(folder, 'media');
  const entries = await readdir(mediaFolder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  await pLimit(CONCURRENT_FILES).map(paths, async (path) =>
    files.media.add(relative(mediaFolder, path).replaceAll(sep, '/'), await readFile(path)),
  );
  const uploads = await Promise.all(media.map(({ key }) => addImage(folder, key, files)));
  await copyPodcastFiles(folder, podcast, { files });
  await files.uploads.put(MARKER, Buffer.alloc(0));
  return uploads.flat();
}

/** Adds a motif to the uploads, once per language, in all sizes. */
async function addImage(folder: string, key: string, files: FileStores['files']): Promise<DemoUpload[]> {
  const bytes = await readFile(join(folder, motifPath(key)));
  const measures = await measureImage(bytes);
  const made = Object.entries(await makeImageSizes(bytes, { mimeType: 'image/jpeg' }));
  return Promise.all(
    DEMO_LANGUAGES.map(async (language) => {
      const name = { base: `${key}-${language}`, extension: 'jpg' };
      const file = `${UPLOADS_MONTH}/${name.base}.jpg`;
      await files.uploads.add(file, bytes);
      for (const [, size] of made) await files.uploads.add(`${UPLOADS_MONTH}/${sizeName(name, size)}`, size.bytes);
      const sizes = Object.fromEntries(made.map(([label, size]) => [label, describeSize(name, size, 'image/jpeg')]));
      const mediaDetails = { ...measures, filesize: bytes.length, sizes, image_meta: NO_IMAGE_META };
      return { key, language, file, mediaDetails };
    }),
  );
}

/** Path of a motif, below the folder of the demo and below the origin's address. */
export const motifPath = (key: string): string => `media/motifs/${key}.jpg`;

/** Copies audio, transcripts and covers. Existing files stay. */
export async function copyPodcastFiles(
  folder: string,
  podcast: DemoPodcast,
  { files }: Pick<FileStores, 'files'>,
): Promise<void> {
  for (const path of podcastFiles(podcast))
    await files.uploads.add(podcastUpload(path), await readFile(join(folder, 'podcast', path)));
}

/** Paths of all files, below the folder of the demo's podcast. */
export function podcastFiles({ shows, episodes }: DemoPodcast): string[] {
  return [
    ...shows.map(({ language }) => showCover(language)),
    ...new Set(episodes.map(({ key }) => episodeCover(key))),
    ...episodes.flatMap(({ slug }) => episodeFiles(slug)),
  ];
}

export const showCover = (language: string): string => `covers/show.${language}.jpg`;
export const episodeCover = (key: string): string => `covers/${key}.jpg`;
export const episodeFiles = (slug: string): string[] => [
  `audio/${slug}.opus`,
  `audio/${slug}.mp3`,
  `transcripts/${slug}.vtt`,
];

/** Path of a podcast file below the uploads folder: covers have their own folder. */
export function podcastUpload(path: string): string {
  return `${EPISODE_FILES_FOLDER}/${path.replace(/^(?:audio|transcripts)\//, '')}`;
}

/** Earlier versions wrote the marker next to the uploads folder. */
export async function hasDemoFiles({ files, filesFolder }: FileStores): Promise<boolean> {
  return (await files.uploads.has(MARKER)) || existsSync(join(filesFolder, MARKER));
}

export async function removeDemoMarker({ files, filesFolder }: FileStores): Promise<void> {
  await files.uploads.remove(MARKER);
  await rm(join(filesFolder, MARKER), { force: true });
}
