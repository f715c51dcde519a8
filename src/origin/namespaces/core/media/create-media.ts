import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { createMedia as declaration } from '#contracts/core/routes.ts';
import { created, type AnswerOf } from '#origin/platform/http/transport/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { loadSite, toSiteTime } from '#origin/platform/site/index.ts';
import { presentWritten } from '#origin/platform/content/writing/present-written.ts';
import { addMedia } from './add-media.ts';
import { cleanFileName } from './clean-file-name.ts';
import { permitParent } from './permit-media.ts';
import { prepareMedia } from './prepare-media.ts';
import { presentMedia } from './present-media.ts';
import { readUpload, type Upload } from './read-upload.ts';
import { recogniseType } from './recognise-type.ts';
import type { UploadCall } from './upload-call.ts';

const kind = CONTENT_KINDS.attachment;

/** So many files are in memory at the same time; others wait on the disk. */
const inMemory = pLimit(2);

/** Takes a file, makes the sizes of a picture, and answers the new medium as its editors see it. */
export async function createMedia(call: UploadCall): Promise<AnswerOf<typeof declaration>> {
  const upload = await readUpload(call);
  try {
    return await inMemory(() => keepUpload(call, upload));
  } finally {
    await upload.close();
  }
}

async function keepUpload(
  call: UploadCall,
  { read, name, title, fields, refusal }: Upload,
): Promise<AnswerOf<typeof declaration>> {
  const { addresses } = call;
  const bytes = await read();
  await permitParent(call, fields.post);
  const file = await recogniseType(bytes, cleanFileName(name));
  if (!file) throw call.refuse(refusal, 'Files of this type can not be uploaded.');
  if (fields.featured_media && file.mimeType.startsWith('image/'))
    throw call.refuse('rest_no_featured_media', 'Nothing can stand for a picture but itself.');
  const prepared = await prepareMedia(bytes, file, { generateSizes: fields.generate_sub_sizes, refuse: call.refuse });
  const row = await addMedia(call, {
    prepared,
    folder: await findFolder(call, fields.post),
    name: file,
    sent: fields,
    defaults: ({ base }) => ({
      title: prepared.title || (title ?? base),
      caption: prepared.caption,
      description: '',
      altText: '',
    }),
  });
  return created(await presentWritten(call, kind, row, presentMedia), addresses.rest(`${kind.base}/${row.id}`));
}

/** The month of the post it belongs to, or this one; pages have no months. */
async function findFolder(call: UploadCall, post: number | undefined): Promise<string> {
  const { timezone } = await loadSite(call);
  const now = toSiteTime(new Date(), timezone);
  const { db } = call.context.store;
  const [parent] = post
    ? await db.select({ type: content.type, date: content.date }).from(content).where(eq(content.id, post)).limit(1)
    : [];
  return monthFolder(parent && parent.type !== 'page' ? parent.date : now);
}

/** `2026/11` */
export function monthFolder(siteTime: string): string {
  return siteTime.slice(0, 7).replace('-', '/');
}
