import { contentRows } from '#origin/platform/content/content-rights.ts';
import { loadRow } from '#origin/platform/content/resources/resource.ts';
import { dirname } from 'node:path/posix';
import sharp, { type Sharp } from 'sharp';
import { type ImageModifier, cropModifier, flipModifier, rotateModifier } from '#contracts/core/field.ts';
import type { editMedia as declaration } from '#contracts/core/routes.ts';
import { loadContentView } from '#origin/platform/content/present-content.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { created, type Call, type ResultOf, type ParameterCheck } from '#origin/platform/http/transport/call.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import {
  encodeImage,
  isResizable,
  type ResizableType,
  withImage,
  MAX_PIXELS,
  openImage,
  TooManyPixelsError,
} from '#origin/platform/media/image-work.ts';
import { listMediaFiles, splitName, uploadPath } from '#origin/platform/media/media-files.ts';
import { withOriginal } from '#origin/platform/media/regenerate-sizes.ts';
import { authorizeParent } from './plan-media.ts';
import { prepareMedia } from './prepare-media.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import { insertMedia, monthFolder } from './upload-media.ts';

const share = (length: number, percent: number) => Math.round((length * percent) / 100);

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

const MAX_MODIFIERS = 50;

const MODIFIER_SCHEMAS = [flipModifier, rotateModifier, cropModifier];

/** Validates the modifiers of an image. A modifier that matches no schema is reported against the first schema. */
export const checkModifiers: ParameterCheck = (sent) => {
  if (!Array.isArray(sent)) return undefined;
  if (sent.length > MAX_MODIFIERS)
    return { code: 'rest_too_many_items', text: `modifiers must contain at most ${MAX_MODIFIERS} items.` };
  for (const [position, modifier] of sent.entries()) {
    if (typeof modifier !== 'object' || modifier === null) return undefined;
    const missing = ['type', 'args'].find((name) => !(name in modifier));
    if (missing !== undefined)
      return { code: 'rest_property_required', text: `${missing} is a required property of modifiers[${position}].` };
    if (MODIFIER_SCHEMAS.some((schema) => schema.safeParse(modifier).success)) continue;
    const text = `modifiers[${position}] is not a valid flip, rotate or crop modifier.`;
    return { code: 'rest_no_matching_schema', text, data: { position: 0 } };
  }
  return undefined;
};

const kind = CONTENT_KINDS.attachment;

type ImageEditCall = Call<typeof declaration>;

const EDITED = /-edited(-\d+)?$/;

/** Creates a media item from the edited original of another, and returns it in the view context. */
export async function editMedia(call: ImageEditCall): Promise<ResultOf<typeof declaration>> {
  const { context, addresses, body } = call;
  const row = await loadRow(call, contentRows(kind), call.params.id);
  const { mimeType, file, title, excerpt, content, altText } = row;
  const { originalName, details } = readMediaFile(row, '');
  const { original, paths } = listMediaFiles(row);
  const source = uploadPath(body.src, addresses.site);
  const unknown = () => call.refuse('rest_unknown_attachment', 'src is not a URL of this image.');
  const isKnown = source !== undefined && paths.includes(source) && mimeType.startsWith('image/');
  if (!isKnown || !(await context.files.uploads.has(original))) throw unknown();
  const modifiers = body.modifiers ?? toModifiers(body);
  if (modifiers.length === 0)
    throw call.refuse('rest_image_not_edited', 'The image was not edited. Send at least one modifier.');
  if (!isResizable(mimeType))
    throw call.refuse('rest_upload_image_type_not_supported', 'Images of this type cannot be edited.');

  await authorizeParent(call, body.post);
  const edited = await withOriginal(context, original, (bytes) =>
    withImage(call, bytes, () => applyModifiers(bytes, modifiers, mimeType)),
  );
  if (!edited) throw unknown();
  const prepared = await prepareMedia(edited.bytes, { mimeType }, { generateSizes: true, refuse: call.refuse });
  const name = splitName(originalName);
  const { timezone } = await loadSite(call);
  const meta = details.image_meta;
  const added = await insertMedia(call, {
    prepared,
    folder: monthFolder(toSiteTime(new Date(), timezone)),
    name: { ...name, base: `${name.base.replace(EDITED, '')}-edited` },
    sent: () => ({
      ...body,
      title: body.title ?? title,
      caption: body.caption ?? excerpt,
      description: body.description ?? content,
      alt_text: body.alt_text ?? altText,
    }),
    details: {
      // Camera metadata stays valid, except for the orientation.
      ...(meta ? { image_meta: Number(meta.orientation ?? 0) > 0 ? { ...meta, orientation: 1 } : meta } : {}),
      parent_image: { attachment_id: String(row.id), file: `${dirname(file)}/${originalName}` },
    },
  });
  const view = await loadContentView(call, kind, [added], { context: 'view' });
  return created(await presentMedia(added, view), addresses.rest(`${kind.base}/${added.id}`));
}

/** Converts the deprecated parameters to modifiers: a rotation, then a crop. */
function toModifiers({ rotation, x, y, width, height }: ImageEditCall['body']): ImageModifier[] {
  const turns: ImageModifier[] = rotation === undefined ? [] : [{ type: 'rotate', args: { angle: rotation } }];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return turns;
  return [...turns, { type: 'crop', args: { left: x, top: y, width, height } }];
}

/** Raw pixels between two edits, so that the image is encoded only once. */
type Pixels = Awaited<ReturnType<typeof readPixels>>;

/** Applies the modifiers in order, after applying the EXIF orientation. */
async function applyModifiers(bytes: Uint8Array, modifiers: readonly ImageModifier[], mimeType: ResizableType) {
  const hasAlpha = mimeType !== 'image/jpeg';
  const opened = openImage(bytes).autoOrient().toColourspace('srgb');
  let pixels = await readPixels(hasAlpha ? opened.ensureAlpha() : opened.flatten({ background: '#ffffff' }));
  for (const modifier of modifiers) {
    const edited = await applyModifier(pixels, modifier);
    if (edited) pixels = await readPixels(edited);
  }
  return encodeImage(open(pixels), mimeType);
}

/** Returns undefined if the modifier changes nothing. */
async function applyModifier(pixels: Pixels, modifier: ImageModifier): Promise<Sharp | undefined> {
  const { width, height } = pixels.raw;
  switch (modifier.type) {
    case 'flip': {
      const { horizontal, vertical } = modifier.args.flip;
      return horizontal || vertical ? open(pixels).flop(horizontal).flip(vertical) : undefined;
    }
    case 'rotate': {
      const angle = ((modifier.args.angle % 360) + 360) % 360;
      if (angle === 0) return undefined;
      if (width ** 2 + height ** 2 > MAX_PIXELS * 2) throw new TooManyPixelsError();
      const background = pixels.raw.channels === 4 ? { r: 0, g: 0, b: 0, alpha: 0 } : '#ffffff';
      if (angle % 90 === 0) return open(pixels).rotate(angle);
      // A border of one background pixel smooths the slanted edges.
      const framed = await readPixels(open(pixels).extend({ top: 1, bottom: 1, left: 1, right: 1, background }));
      return open(framed).rotate(angle, { background });
    }
    case 'crop': {
      const { args } = modifier;
      const area = { width: share(width, args.width), height: share(height, args.height) };
      if (area.width === width && area.height === height) return undefined;
      const left = clamp(share(width, args.left), 0, width - 1);
      const top = clamp(share(height, args.top), 0, height - 1);
      const shown = { width: clamp(area.width, 1, width - left), height: clamp(area.height, 1, height - top) };
      return open(pixels).extract({ left, top, ...shown });
    }
  }
}

function open({ data, raw }: Pixels): Sharp {
  return sharp(data, { raw });
}

async function readPixels(image: Sharp) {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (width * height > MAX_PIXELS) throw new TooManyPixelsError();
  return { data, raw: { width, height, channels } };
}
