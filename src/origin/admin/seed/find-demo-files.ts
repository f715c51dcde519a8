import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HAZARD_TEXTS } from '#contracts/hazard-texts.ts';
import { messageOf, SortimentError } from '#contracts/index.ts';
import { NO_IMAGE_META } from '#origin/platform/media/image-work.ts';
import { describeSize, sizeName } from '#origin/platform/media/media-files.ts';
import { cachedFolder } from '#origin/platform/store/index.ts';
import type { DemoContent, DemoHazards, DemoProducts } from './demo-content.ts';
import { makeImageSizes, type SizedImage } from './make-image-sizes.ts';

const DOCUMENT_TEXTS = fileURLToPath(new URL('../../../../content/demo/documents', import.meta.url));

/** Below the uploads folder, where files of that month lie. */
export const UPLOADS_MONTH = '2026/01';

export interface GenerateDemoMediaOptions {
  products: DemoProducts;
  hazards: DemoHazards;
  /** The links of the records are paths below this folder; it is made if need be. */
  folder: string;
  /** Called after each file; `done` counts those written or found. */
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** What the program that draws exports. */
interface DemoGenerator {
  generateDemoMedia(options: GenerateDemoMediaOptions): Promise<unknown>;
}

export interface DemoUpload {
  /** Key of the motif. */
  key: string;
  language: string;
  /** Path below the uploads folder. */
  file: string;
  mediaDetails: Record<string, unknown>;
}

export interface DemoFiles {
  /** Holds `media/` and `uploads/`, to be copied. */
  folder: string;
  uploads: DemoUpload[];
}

/** All files of the demo: those of products, and each motif in each language with its sizes. Drawing them takes a while, so they are kept. */
export async function findDemoFiles(
  content: DemoContent,
  generator: string | undefined,
  languages: readonly string[],
  log: (line: string) => void,
): Promise<DemoFiles> {
  if (generator === undefined) throw unavailable('nothing here draws its files');
  const draw = async (folder: string) => drawFiles(await loadGenerator(generator), folder, content, languages, log);
  const kept = await cachedFolder(`demo-${demoKey(content, generator, languages)}`, draw);
  const uploads = JSON.parse(await readFile(join(kept, 'uploads.json'), 'utf8')) as DemoUpload[];
  return { folder: join(kept, 'files'), uploads };
}

async function loadGenerator(folder: string): Promise<DemoGenerator> {
  try {
    return (await import(pathToFileURL(join(folder, 'index.ts')).href)) as DemoGenerator;
  } catch (error) {
    throw unavailable(messageOf(error), error);
  }
}

function unavailable(why: string, cause?: unknown): SortimentError {
  return new SortimentError('DEMO_UNAVAILABLE', `The demo is not available: ${why}.`, {
    hint:
      'Run `npm ci` without `--omit=dev`: development dependencies draw the demo. For a catalogue of your own, set ' +
      'PRODUCT_API_URL and PRODUCT_API_TOKEN, or put products in with `npm run origin -- product import`.',
    cause,
  });
}

async function drawFiles(
  { generateDemoMedia }: DemoGenerator,
  kept: string,
  { products, hazards, media }: DemoContent,
  languages: readonly string[],
  log: (line: string) => void,
): Promise<void> {
  const folder = join(kept, 'files');
  let nextReport = 0;
  await generateDemoMedia({
    products,
    hazards,
    folder,
    onProgress: ({ done, total }) => {
      if (done < nextReport) return;
      log(`Drawing the demo's pictures and documents: ${done} of ${total}`);
      nextReport = done + total / 4;
    },
  });
  const uploads: DemoUpload[] = [];
  await mkdir(join(folder, 'uploads', UPLOADS_MONTH), { recursive: true });
  for (const { key, file } of media) {
    const image = await makeImageSizes(await readFile(join(folder, file)));
    for (const language of languages) {
      const base = `${key}-${language}`;
      const mediaDetails = await storeImage(image, join(folder, 'uploads', UPLOADS_MONTH), base);
      uploads.push({ key, language, file: `${UPLOADS_MONTH}/${base}.jpg`, mediaDetails });
    }
  }
  await writeFile(join(kept, 'uploads.json'), JSON.stringify(uploads));
}

/** A digest of the content and of the code that draws it. */
function demoKey(content: DemoContent, generator: string, languages: readonly string[]): string {
  const hash = createHash('sha256').update(
    JSON.stringify([content.products, content.hazards, content.maker, HAZARD_TEXTS, content.media, languages]),
  );
  const files = [generator, DOCUMENT_TEXTS, import.meta.dirname].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|yaml)$/.test(name) && !name.endsWith('.test.ts'))
      .toSorted()
      .map((name) => join(folder, name)),
  );
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Writes a JPEG and its sizes into a folder, as `<base>.jpg` and `<base>-<width>x<height>.jpg`.
 *
 * @returns what the store keeps of it as `media_details`
 */
async function storeImage(image: SizedImage, folder: string, base: string): Promise<Record<string, unknown>> {
  const name = { base, extension: 'jpg' };
  await writeFile(join(folder, `${base}.jpg`), image.bytes);
  const sizes: Record<string, unknown> = {};
  for (const [key, size] of Object.entries(image.sizes)) {
    await writeFile(join(folder, sizeName(name, size)), size.bytes);
    sizes[key] = describeSize(name, size, 'image/jpeg');
  }
  const { width, height, bytes } = image;
  return { width, height, filesize: bytes.length, sizes, image_meta: NO_IMAGE_META };
}
