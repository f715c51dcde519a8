import { dirname } from 'node:path/posix';
import type { postProcessMedia as declaration } from '#contracts/core/routes.ts';
import { loadRow } from '#origin/platform/content/answer-item.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { presentWritten } from '#origin/platform/content/writing/present-written.ts';
import { sizesOf } from '#origin/platform/files/file-store.ts';
import { item, type AnswerOf } from '#origin/platform/http/transport/index.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { makeImageSizes, type ImageFile } from './image-sizes.ts';
import { withImage } from './image-work.ts';
import { mediaFiles, describeSize, sizeName, splitName } from './media-files.ts';
import { isSized } from './prepare-media.ts';
import { presentMedia } from './present-media.ts';
import { keepDetails } from './update-media.ts';
import type { PostProcessCall } from './upload-call.ts';

const kind = CONTENT_KINDS.attachment;

/** Makes the sizes that a picture lacks; other files have none. */
export async function postProcessMedia(call: PostProcessCall): Promise<AnswerOf<typeof declaration>> {
  const { context, params } = call;
  let row = await loadRow(call, kind, params.id);
  const { details, originalName } = readMediaFile(row, '');
  const { width = 0, height = 0 } = details;
  const missing = sizesOf(width, height)
    .map(({ name }) => name)
    .filter((name) => !(name in details.sizes));
  const { mimeType } = row;
  if (isSized(mimeType) && missing.length > 0) {
    const files = mediaFiles(context);
    const folder = dirname(row.file);
    const original = await files.read(`${folder}/${originalName}`);
    const upright = originalName !== row.file.slice(folder.length + 1);
    const made: Record<string, ImageFile> = original
      ? await withImage(call, original, () => makeImageSizes(original, { mimeType, upright, wanted: missing }))
      : {};
    const name = splitName(originalName);
    for (const size of Object.values(made)) await files.put(`${folder}/${sizeName(name, size)}`, size.bytes);
    const described = Object.entries(made).map(([key, size]) => [key, describeSize(name, size, mimeType)]);
    row = await keepDetails(call, row.id, (kept) => ({
      ...kept,
      sizes: { ...(kept['sizes'] as object | undefined), ...Object.fromEntries(described) },
    }));
  }
  return item(await presentWritten(call, kind, row, presentMedia));
}
