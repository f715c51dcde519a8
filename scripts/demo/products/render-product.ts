import sharp from 'sharp';
import type { DemoProduct } from '#origin/admin/seed/demo-content.ts';
import { BANNER_HEIGHT, BANNER_PICTURE, drawBanner } from './banner.ts';
import { drawProduct } from './draw-product.ts';
import type { ProductLook } from './product-look.ts';
import { STAGE } from './stage.ts';

/** The pictures of one product. What several of them are made from is rendered once, when it is first needed. */
export interface ProductPictures {
  /** PNG, 1600 by 1600: as large as shops ask for. */
  image(): Promise<Buffer>;
  /** JPEG, 1600 by 500, in the language of the record. */
  banner(record: DemoProduct): Promise<Buffer>;
  /** A small square JPEG for documents. */
  thumbnail(): Promise<Buffer>;
}

/** Side of the picture in pixels. */
const IMAGE = 1600;

/** Side of the thumbnail in pixels: 150 points at about 200 dots to the inch. */
const THUMBNAIL = 420;

export function productPictures(look: ProductLook): ProductPictures {
  let cutout: ReturnType<typeof renderCutout> | undefined;
  let thumbnail: Promise<Buffer> | undefined;
  return {
    image: () =>
      rasterise(drawProduct(look, { ground: true }), IMAGE / STAGE)
        .png({ compressionLevel: 6 })
        .toBuffer(),
    banner: async (record) => {
      cutout ??= renderCutout(look);
      const { data, info } = await cutout;
      const { left, top } = BANNER_PICTURE;
      const picture = { input: data, raw: info, left, top: Math.max(0, top) };
      return rasterise(drawBanner(record, look)).composite([picture]).jpeg({ quality: 84 }).toBuffer();
    },
    thumbnail: () => {
      thumbnail ??= rasterise(drawProduct(look, { ground: true }))
        .resize(THUMBNAIL)
        .jpeg({ quality: 82 })
        .toBuffer();
      return thumbnail;
    },
  };
}

/** The product without its ground, the part of it that lies inside the banner, as pixels. */
async function renderCutout(look: ProductLook) {
  const { top, size } = BANNER_PICTURE;
  const whole = await rasterise(drawProduct(look, { ground: false }))
    .resize(size)
    .png({ compressionLevel: 0 })
    .toBuffer();
  const inside = { left: 0, top: Math.max(0, -top), width: size, height: Math.min(size + top, BANNER_HEIGHT) };
  return sharp(whole).extract(inside).raw().toBuffer({ resolveWithObject: true });
}

/** @param scale Of the drawing: pixels for one of its units. */
function rasterise(svg: string, scale = 1) {
  return sharp(Buffer.from(svg), { density: 72 * scale });
}
