import { join } from 'node:path';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { writeOnce } from '#files/index.ts';
import { demoProduct, type DemoHazards, type DemoProduct, type DemoProducts } from '#origin/admin/seed/demo-content.ts';
import type { GenerateDemoMediaOptions } from '#origin/admin/seed/find-demo-files.ts';
import { drawDatasheet } from './documents/datasheet.ts';
import { drawDeclaration } from './documents/declaration.ts';
import { drawSafetyDatasheet } from './documents/safety-datasheet.ts';
import { MOTIFS } from './motifs/index.ts';
import { productLook } from './products/product-look.ts';
import { productPictures } from './products/render-product.ts';

/** Pictures are rendered on threads of their own while documents are set on this one. */
const CONCURRENT_FILES = 4;

/**
 * Draws the documents and pictures that the demo products link, and the motifs, below `folder`. Files that exist
 * are left alone; the same product always gives the same bytes.
 * Returns how many files were written, and their size in bytes.
 */
export async function generateDemoMedia({
  products,
  hazards,
  folder,
  onProgress,
}: GenerateDemoMediaOptions): Promise<{ files: number; bytes: number }> {
  const tasks = planMedia(products, hazards);
  const limit = pLimit(CONCURRENT_FILES);
  let done = 0;
  const sizes = await Promise.all(
    tasks.map(({ path, make }) =>
      limit(async () => {
        const size = await writeOnce(join(folder, path), make);
        done += 1;
        onProgress?.({ done, total: tasks.length });
        return size;
      }),
    ),
  );
  const written = sizes.filter((size) => size !== undefined);
  return { files: written.length, bytes: written.reduce((sum, size) => sum + size, 0) };
}

interface MediaTask {
  /** Below the folder of the media, with forward slashes, such as `media/img/hw-10110.png`. */
  path: string;
  make: () => Promise<Buffer>;
}

/** Every file that the records link, once, and the motifs. Nothing is drawn before a task is asked to. */
export function planMedia(products: DemoProducts, hazards: DemoHazards): MediaTask[] {
  const tasks = new Map<string, MediaTask['make']>();
  const declarations = new Map<string, { products: DemoProduct[]; accent: string }>();
  const plan = (path: string, make: MediaTask['make']) => {
    if (path && !tasks.has(path)) tasks.set(path, make);
  };
  for (const [gtin, versions] of Object.entries(products)) {
    const records = Object.values(versions).map((record) => demoProduct.parse(record));
    const look = productLook(records);
    const pictures = productPictures(look);
    for (const product of records) {
      plan(product.image, pictures.image);
      plan(product.banner, () => pictures.banner(product));
      plan(product.datasheet, async () =>
        drawDatasheet({ product, accent: look.color, picture: await pictures.thumbnail() }),
      );
      plan(product.safety_datasheet, () => drawSafetyDatasheet({ product, hazard: hazards[gtin], accent: look.color }));
      const path = product.declaration_of_performance;
      if (!path) continue;
      const shared = declarations.get(path) ?? { products: [], accent: look.color };
      shared.products.push(product);
      declarations.set(path, shared);
      plan(path, () => drawDeclaration({ number: declarationNumber(path), ...shared }));
    }
  }
  for (const [key, draw] of Object.entries(MOTIFS)) {
    plan(`media/motifs/${key}.jpg`, () =>
      sharp(Buffer.from(draw())).jpeg({ quality: 84, chromaSubsampling: '4:4:4' }).toBuffer(),
    );
  }
  return [...tasks].map(([path, make]) => ({ path, make }));
}

/** `media/de-de/dop/dop-hw-0110-de.pdf` -> `DOP-HW-0110` */
function declarationNumber(path: string): string {
  const name = path.split('/').at(-1) ?? path;
  return name.replace(/(-[a-z]{2})?\.pdf$/, '').toUpperCase();
}
