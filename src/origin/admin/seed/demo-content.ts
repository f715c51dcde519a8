import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { formatProblems, getErrorMessage, parseValue, SortimentError } from '#contracts/index.ts';
import { readFrontMatter } from '#contracts/front-matter.ts';
import { languageCode, product, type ProductRecord } from '#contracts/product/index.ts';
import { SEPARATORS } from '#contracts/seo/templates.ts';
import { seoSettingsBody } from '#contracts/seo/settings.ts';
import pLimit from 'p-limit';
import { EPISODE_FILES_FOLDER } from '#origin/namespaces/podcast/media/list-files.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { makeImageSizes, measureImage, NO_IMAGE_META, openSource } from '#origin/platform/media/image-work.ts';
import { describeSize, sizeName } from '#origin/platform/media/media-files.ts';

export const DEMO_FOLDER = fileURLToPath(new URL('../../../../content/demo', import.meta.url));

export const DEMO_LANGUAGES = ['de-de', 'en-gb', 'fr-fr'] as const;

const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'is not a slug: lower-case letters, digits, hyphens' });
const text = z.string().min(1);
const texts = z.record(languageCode, text);
/** Local time of the site. */
const localTime = z.iso.datetime({ local: true });
const playTime = z.string().regex(/^\d{2}:[0-5]\d:[0-5]\d\.\d{3}$/, { error: 'is not a time such as 00:01:23.500' });
/** The origin adds its own address to these paths. */
const mediaPath = z
  .string()
  .regex(/^(?:media\/[a-z0-9/.-]+)?$/, { error: 'is neither empty nor the path of a file below media/' });

const site = z.strictObject({
  name: text,
  description: z.string(),
  timezone: text,
  users: z.array(
    z.strictObject({ login: slug, language: languageCode, name: text, role: z.literal('editor'), email: z.email() }),
  ),
});

const terms = z.strictObject({
  categories: z.array(
    z.strictObject({
      slug,
      language: languageCode,
      /** Each post has exactly one category of the role `language`. */
      role: z.enum(['language', 'topic']),
      parent: slug.optional(),
      name: text,
      description: z.string(),
    }),
  ),
  /** A tag without a language ties translations together. */
  tags: z.array(z.strictObject({ slug, language: languageCode.optional(), name: text })),
});

const media = z.array(z.strictObject({ key: slug, title: texts, alt: texts, caption: texts, description: texts }));

const post = z.strictObject({
  title: text,
  slug,
  date: localTime,
  /** Derived from the body by default. */
  excerpt: z.string().optional(),
  categories: z.array(slug).min(1),
  tags: z.array(slug).min(1),
  /** Key of a motif. */
  featured: slug,
  sticky: z.boolean().default(false),
  body: z.string(),
});

const page = z.strictObject({
  title: text,
  slug,
  /** Key of a page in the same language. */
  parent: slug.optional(),
  menu_order: z.int().min(0),
  featured: slug.optional(),
  body: z.string(),
});

const products = z.record(
  z.string(),
  z.record(
    languageCode,
    product.extend({
      datasheet: mediaPath,
      safety_datasheet: mediaPath,
      declaration_of_performance: mediaPath,
      image: mediaPath,
      banner: mediaPath,
    }),
  ),
);

const seoFields = z.strictObject(seoSettingsBody.shape);

const seo = z.strictObject({
  site: z.strictObject({
    company_name: z.string(),
    website_name: z.string(),
    separator: z.enum(SEPARATORS),
    templates: z.record(z.string(), z.strictObject({ title: z.string(), description: z.string() })),
  }),
  /** By key and language. */
  posts: z.record(z.string(), z.record(languageCode, seoFields)),
  pages: z.record(z.string(), z.record(languageCode, seoFields)),
  /** By slug. */
  categories: z.record(z.string(), seoFields),
});

const shows = z.array(
  z.strictObject({
    language: languageCode,
    guid: z.uuid(),
    title: text,
    subtitle: text,
    summary: text,
    author: text,
    email: z.email(),
    category: text,
    type: z.enum(['episodic', 'serial']),
    explicit: z.boolean(),
    copyright: text,
  }),
);

const episode = z.strictObject({
  guid: z.uuid(),
  /** Also the name of its audio files and transcript. */
  slug,
  number: z.int(),
  season: z.int(),
  type: z.enum(['full', 'trailer', 'bonus']),
  title: text,
  subtitle: text,
  summary: text,
  recorded: z.iso.date(),
  published: localTime,
  explicit: z.boolean(),
  duration: playTime,
  soundbite: z.strictObject({ title: text, start: playTime, duration: playTime }),
  chapters: z
    .array(
      z.strictObject({
        start: playTime,
        title: text,
        gtin: z.string().optional(),
        href: z.url().optional(),
        image: mediaPath.optional(),
      }),
    )
    .min(1),
  notes: z.string(),
});

/** The file is `<key>.<language>.html` or `.yaml`; translations share the key. */
type Translation<T> = T & { key: string; language: string };
export type DemoPost = Translation<z.output<typeof post>>;
export type DemoPage = Translation<z.output<typeof page>>;
export type DemoEpisode = Translation<z.output<typeof episode>>;
export type DemoContent = Awaited<ReturnType<typeof readDemoContent>>;

/**
 * Reads the demo content. Translations are ordered by key and language. Bodies contain the tokens `{site}` and
 * `{media:<key>}`.
 *
 * @throws {SortimentError} DEMO_UNAVAILABLE without the folder; DEMO_CONTENT_INVALID, with the file and its wrong fields
 */
export async function readDemoContent(folder: string) {
  const hint = 'Restore the folder from the version control.';
  if (!existsSync(folder))
    throw new SortimentError('DEMO_UNAVAILABLE', `The demo is not available: there is no folder ${folder}.`, { hint });
  const { users, ...settings } = await readEntry(folder, 'site.yaml', parseYaml, site);
  const { categories, tags } = await readEntry(folder, 'terms.yaml', parseYaml, terms);
  const episodes = await readTranslations(folder, 'podcast', parseYaml, episode);
  const episodeTags = [...new Set(episodes.map(({ key }) => translationTag(key)))];
  for (const slug of episodeTags) tags.push({ slug, name: slug });
  // By GTIN and language. Records are stored as they are on the wire, not as the schema outputs them.
  let records: Record<string, Record<string, ProductRecord>> = {};
  await readEntry(folder, 'products.json', (json) => (records = JSON.parse(json) as typeof records), products);
  return {
    site: settings,
    users,
    categories,
    tags,
    media: await readEntry(folder, 'media.yaml', parseYaml, media),
    posts: await readTranslations(folder, 'posts', splitHtml, post),
    pages: await readTranslations(folder, 'pages', splitHtml, page),
    products: records,
    podcast: { shows: await readEntry(folder, 'podcast/shows.yaml', parseYaml, shows), episodes },
    seo: await readEntry(folder, 'seo.yaml', parseYaml, seo),
  };
}

export const translationTag = (key: string): string => `translation-${key}`;

async function readTranslations<T extends z.ZodType<object>>(
  folder: string,
  kind: string,
  parse: (text: string) => unknown,
  schema: T,
): Promise<Translation<z.output<T>>[]> {
  const files = (await readdir(join(folder, kind))).toSorted().flatMap((name) => {
    const [, key, language] = /^([a-z-]+)\.([a-z]{2}-[a-z]{2})\.(?:html|yaml)$/.exec(name) ?? [];
    return key && language ? [{ key, language, name: `${kind}/${name}` }] : [];
  });
  return Promise.all(
    files.map(async ({ name, ...names }) => ({ ...(await readEntry(folder, name, parse, schema)), ...names })),
  );
}

async function readEntry<T extends z.ZodType>(
  folder: string,
  name: string,
  parse: (text: string) => unknown,
  schema: T,
): Promise<z.output<T>> {
  try {
    const reading = parseValue(schema, parse(await readFile(join(folder, name), 'utf8')));
    if (reading.ok) return reading.value;
    throw new Error(`\n${formatProblems(reading.problems)}`);
  } catch (cause) {
    throw new SortimentError('DEMO_CONTENT_INVALID', `Demo content, ${name}: ${getErrorMessage(cause)}`, {
      hint: 'Correct the file; content/demo/README.md says what each one holds.',
      cause,
    });
  }
}

function splitHtml(html: string): object {
  const { fields, body } = readFrontMatter(html);
  if (fields === undefined) throw new Error('has no front matter between two lines of ---');
  return { ...(fields as object | null), body: body.trim() };
}

const CONCURRENT_FILES = 8;

const UPLOADS_MONTH = '2026/01';

export type DemoUploads = Awaited<ReturnType<typeof copyDemoFiles>>;

/** Copies all files of the demo to the origin, and makes the sizes of its images. Existing files stay. */
export async function copyDemoFiles(
  folder: string,
  { media, podcast }: Pick<DemoContent, 'media' | 'podcast'>,
  { files }: Pick<OriginContext, 'files'>,
) {
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
  // Sizes of podcast files are by their path in the podcast's folder.
  return { images: images.flat(), podcastBytes: new Map(sizes) };
}

/** Adds a motif to the uploads, once per language, in all sizes. */
async function addImage(folder: string, key: string, files: OriginContext['files']) {
  const bytes = await readFile(join(folder, motifPath(key)));
  const measures = await measureImage(bytes);
  const made = Object.entries(await makeImageSizes(await openSource(bytes), measures, 'image/jpeg'));
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
export function podcastFiles({ shows, episodes }: DemoContent['podcast']): string[] {
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
