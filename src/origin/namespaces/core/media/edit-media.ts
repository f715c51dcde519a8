import { dirname } from 'node:path/posix';
import sharp, { type Sharp } from 'sharp';
import { type ImageModifier, cropModifier, flipModifier, rotateModifier } from '#contracts/core/image-modifiers.ts';
import type { editMedia as declaration } from '#contracts/core/routes.ts';
import { loadRow } from '#origin/platform/content/get-item.ts';
import { loadContentView } from '#origin/platform/content/content-view.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { created, type ResultOf, type ParameterCheck } from '#origin/platform/http/transport/index.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { loadSite, toSiteTime } from '#origin/platform/site/index.ts';
import { encodeImage, isResizable, type ImageFile, type ResizableType } from '#origin/platform/media/image-sizes.ts';
import { withImage, MAX_PIXELS, openImage, TooManyPixelsError } from '#origin/platform/media/image-work.ts';
import { listMediaFiles, mediaFiles, splitName, uploadPath } from '#origin/platform/media/media-files.ts';
import { withOriginal } from '#origin/platform/media/regenerate-sizes.ts';
import { permitParent } from './permit-media.ts';
import { prepareMedia } from './prepare-media.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import type { EditCall } from './upload-call.ts';
import { addMedia, monthFolder } from './upload-media.ts';

const share = (of: number, percent: number) => Math.round((of * percent) / 100);

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

const diagonal = (width: number, height: number) => Math.hypot(width, height);

const MAX_MODIFIERS = 50;

const FORMS = [flipModifier, rotateModifier, cropModifier];

/** Says what is wrong with the edits of a picture the way the interface does: what fits no form is held against the first. */
export const checkModifiers: ParameterCheck = (sent) => {
  if (!Array.isArray(sent)) return undefined;
  if (sent.length > MAX_MODIFIERS)
    return { code: 'rest_too_many_items', text: `modifiers must hold at most ${MAX_MODIFIERS} items.` };
  for (const [position, modifier] of sent.entries()) {
    if (typeof modifier !== 'object' || modifier === null) return undefined;
    const missing = ['type', 'args'].find((name) => !(name in modifier));
    if (missing !== undefined)
      return { code: 'rest_property_required', text: `${missing} is a required property of modifiers[${position}].` };
    if (FORMS.some((form) => form.safeParse(modifier).success)) continue;
    const text = `modifiers[${position}] fits neither flip nor rotate nor crop.`;
    return { code: 'rest_no_matching_schema', text, data: { position: 0 } };
  }
  return undefined;
};

const kind = CONTENT_KINDS.attachment;
const EDITED = /-edited(-\d+)?$/;

/** Makes a new picture of the original of another, and answers it as readers see it. */
export async function editMedia(call: EditCall): Promise<ResultOf<typeof declaration>> {
  const { context, addresses, body } = call;
  const row = await loadRow(call, kind, call.params.id);
  const { mimeType, file, title, excerpt, content, altText } = row;
  const { originalName, details } = readMediaFile(row, '');
  const { original, paths } = listMediaFiles(row);
  const source = uploadPath(body.src, addresses.site);
  const unknown = () => call.refuse('rest_unknown_attachment', 'The address is not one of this picture.');
  const isIt = source !== undefined && paths.includes(source) && mimeType.startsWith('image/');
  if (!isIt || !(await mediaFiles(context).has(original))) throw unknown();
  const modifiers = body.modifiers ?? readOldFields(body);
  if (modifiers.length === 0) throw call.refuse('rest_image_not_edited', 'Nothing is to be changed.');
  if (!isResizable(mimeType))
    throw call.refuse('rest_upload_image_type_not_supported', 'Pictures of this type can not be edited.');

  await permitParent(call, body.post);
  const edited = await withOriginal(context, original, (bytes) =>
    withImage(call, bytes, () => applyModifiers(bytes, modifiers, mimeType)),
  );
  if (!edited) throw unknown();
  const prepared = await prepareMedia(edited.bytes, { mimeType }, { generateSizes: true, refuse: call.refuse });
  const name = splitName(originalName);
  const { timezone } = await loadSite(call);
  const meta = details.image_meta;
  const added = await addMedia(call, {
    prepared,
    folder: monthFolder(toSiteTime(new Date(), timezone)),
    name: { ...name, base: `${name.base.replace(EDITED, '')}-edited` },
    sent: {
      title: body.title,
      caption: body.caption,
      description: body.description,
      alt_text: body.alt_text,
      post: body.post,
    },
    defaults: () => ({ title, caption: excerpt, description: content, altText }),
    more: {
      // What the camera said stays true, but for which way is up.
      ...(meta ? { image_meta: Number(meta.orientation ?? 0) > 0 ? { ...meta, orientation: 1 } : meta } : {}),
      parent_image: { attachment_id: String(row.id), file: `${dirname(file)}/${originalName}` },
    },
  });
  const view = await loadContentView(call, kind, [added], { context: 'view' });
  return created(await presentMedia(added, view), addresses.rest(`${kind.base}/${added.id}`));
}

/** One turn, then one crop. */
function readOldFields({ rotation, x, y, width, height }: EditCall['body']): ImageModifier[] {
  const turn: ImageModifier[] = rotation === undefined ? [] : [{ type: 'rotate', args: { angle: rotation } }];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return turn;
  return [...turn, { type: 'crop', args: { left: x, top: y, width, height } }];
}

/** Pixels between two edits: nothing is encoded twice. */
interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
}

/** Edits a picture in the order of the modifiers, from how EXIF says it is seen. */
async function applyModifiers(
  bytes: Uint8Array,
  modifiers: readonly ImageModifier[],
  mimeType: ResizableType,
): Promise<ImageFile> {
  const hasAlpha = mimeType !== 'image/jpeg';
  const opened = openImage(bytes).autoOrient().toColourspace('srgb');
  let pixels = await readPixels(hasAlpha ? opened.ensureAlpha() : opened.flatten({ background: '#ffffff' }));
  for (const modifier of modifiers) {
    const edited = await applyModifier(pixels, modifier);
    if (edited) pixels = await readPixels(edited);
  }
  return encodeImage(open(pixels), mimeType);
}

/** Nothing when the modifier leaves the picture as it is. */
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
      if (diagonal(width, height) ** 2 > MAX_PIXELS * 2) throw new TooManyPixelsError();
      const background = pixels.raw.channels === 4 ? { r: 0, g: 0, b: 0, alpha: 0 } : '#ffffff';
      if (angle % 90 === 0) return open(pixels).rotate(angle);
      // A pixel of ground on each side, so that slanted edges blend into it.
      const framed = await readPixels(open(pixels).extend({ top: 1, bottom: 1, left: 1, right: 1, background }));
      return open(framed).rotate(angle, { background });
    }
    case 'crop': {
      const { args } = modifier;
      const part = { width: share(width, args.width), height: share(height, args.height) };
      if (part.width === width && part.height === height) return undefined;
      const left = clamp(share(width, args.left), 0, width - 1);
      const top = clamp(share(height, args.top), 0, height - 1);
      return open(pixels).extract({
        left,
        top,
        width: clamp(part.width, 1, width - left),
        height: clamp(part.height, 1, height - top),
      });
    }
  }
}

function open({ data, raw }: Pixels): Sharp {
  return sharp(data, { raw });
}

async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (width * height > MAX_PIXELS) throw new TooManyPixelsError();
  return { data, raw: { width, height, channels } };
}
