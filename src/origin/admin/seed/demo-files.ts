import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import pLimit from 'p-limit';
import { EPISODE_FILES_FOLDER } from '#origin/namespaces/podcast/media/list-files.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { makeImageSizes, measureImage, NO_IMAGE_META } from '#origin/platform/media/image-work.ts';
import { describeSize, sizeName } from '#origin/platform/media/media-files.ts';
import { DEMO_LANGUAGES, type DemoContent, type DemoPodcast } from './demo-content.ts';

const CONCURRENT_FILES = 8;

/** Below the uploads folder. */
const UPLOADS_MONTH = '2026/01';

/** A media item: a motif in one language. */
export interface DemoImage {
  key: string;
  language: string;
  /** Path below the uploads folder. */
  file: string;
  mediaDetails: Record<string, unknown>;
}

export interface DemoUploads {
  images: DemoImage[];
  /** Sizes of podcast files by their path below the folder of the demo's podcast. */
  podcastBytes: ReadonlyMap<string, number>;
}

type Files = OriginContext['files'];

/** Copies all files of the demo to the origin, and makes the sizes of its images. Existing files stay. */
export async function copyDemoFiles(
  folder: string,
  { media, podcast }: Pick<DemoContent, 'media' | 'podcast'>,
  { files }: Pick<OriginContext, 'files'>,
): Promise<DemoUploads> {
  const mediaFolder = join(folder, 'media');
  const entries = await readdir(mediaFolder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const limit = pLimit(CONCURRENT_FILES);
  await limit.map(paths, async (path) =>
    files.media.add(relative(mediaFolder, path).replaceAll(sep, '/'), await readFile(path)),
  );
  const images = await Promise.all(media.map(({ key }) => addImage(folder, key, files)));
  const sizes = await limit.map(podcastFiles(podcast), async (path) => {
    const bytes = await readFile(join(folder, 'podcast', path));
    await files.uploads.add(podcastUpload(path), bytes);
    return [path, bytes.length] as const;
  });
  return { images: images.flat(), podcastBytes: new Map(sizes) };
}

/** Adds a motif to the uploads, once per language, in all sizes. */
async function addImage(folder: string, key: string, files: Files): Promise<DemoImage[]> {
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
