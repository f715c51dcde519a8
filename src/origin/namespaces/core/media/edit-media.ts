import { dirname } from 'node:path/posix';
import type { ImageModifier } from '#contracts/core/image-modifiers.ts';
import type { editMedia as declaration } from '#contracts/core/routes.ts';
import { created, type AnswerOf } from '#origin/platform/http/transport/index.ts';
import { loadRow } from '#origin/platform/content/answer-item.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { loadContentView } from '#origin/platform/content/content-view.ts';
import { loadSite, toSiteTime } from '#origin/platform/site/index.ts';
import { addMedia } from './add-media.ts';
import { applyModifiers } from './apply-modifiers.ts';
import { monthFolder } from './create-media.ts';
import { withImage } from './image-work.ts';
import { listMediaFiles } from './list-media-files.ts';
import { mediaFiles } from './media-files.ts';
import { permitParent } from './permit-media.ts';
import { isSized, prepareMedia } from './prepare-media.ts';
import { presentMedia } from './present-media.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { splitName } from './split-name.ts';
import type { EditCall } from './upload-call.ts';
import { uploadPath } from './upload-path.ts';

const kind = CONTENT_KINDS.attachment;
const EDITED = /-edited(-\d+)?$/;

/** Makes a new picture of the original of another, and answers it as readers see it. */
export async function editMedia(call: EditCall): Promise<AnswerOf<typeof declaration>> {
  const { context, addresses, body } = call;
  const row = await loadRow(call, kind, call.params.id);
  const { mimeType, file, title, excerpt, content, altText } = row;
  const { originalName, details } = readMediaFile(row, '');
  const { original, paths } = listMediaFiles(row);
  const source = uploadPath(body.src, addresses.site);
  const bytes =
    source !== undefined && paths.includes(source) && mimeType.startsWith('image/')
      ? await mediaFiles(context).read(original)
      : undefined;
  if (!bytes) throw call.refuse('rest_unknown_attachment', 'The address is not one of this picture.');
  const modifiers = body.modifiers ?? readOldFields(body);
  if (modifiers.length === 0) throw call.refuse('rest_image_not_edited', 'Nothing is to be changed.');
  if (!isSized(mimeType))
    throw call.refuse('rest_upload_image_type_not_supported', 'Pictures of this type can not be edited.');

  await permitParent(call, body.post);
  const edited = await withImage(call, bytes, () => applyModifiers(bytes, modifiers, mimeType));
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
