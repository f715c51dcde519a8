import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { createMedia as declaration } from '#contracts/core/routes.ts';
import { rejectForeignAuthor } from '#origin/platform/content/content-rights.ts';
import { findFreeSlug } from '#origin/platform/content/slugs.ts';
import { loadWritingScope } from '#origin/platform/content/writing/plan-content.ts';
import { presentWritten } from '#origin/platform/content/writing/write-content.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { created, type ResultOf, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import { checkParameter } from '#origin/platform/http/transport/route-registry.ts';
import { parseQuery } from '#origin/platform/http/transport/rest-request.ts';
import {
  invalidParameters,
  type ParameterProblem,
  type RestError,
} from '#origin/platform/http/transport/rest-error.ts';
import {
  parseJson,
  readText,
  boundedBody,
  createScratchFile,
  createFileTooLargeError,
} from '#origin/platform/http/transport/read-body.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { insertRow, writeContent } from '#origin/platform/content/resources/resource.ts';
import { content } from '#origin/platform/store/schema.ts';
import { resolvePendingFiles, removeEntry, storeMediaFiles, type StoredMedia } from './store-media-files.ts';
import { cleanFileName, type FileName, uploadPath } from '#origin/platform/media/media-files.ts';
import { authorizeParent, planMedia, type MediaErrorCode, type MediaInput, detectUploadType } from './plan-media.ts';
import { prepareMedia, type PreparedMedia } from './prepare-media.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import { announceMedia } from '#origin/platform/media/regenerate-sizes.ts';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { MAX_UPLOAD_BYTES, uploadBody } from '#contracts/core/media.ts';
import { hasStockNames, isSortimentError } from '#contracts/index.ts';
import { UPLOAD_TYPES } from '#origin/platform/files/file-store.ts';
import { checkTarget, guardedFetch } from '#origin/platform/guarded-fetch/guarded-fetch.ts';
import { decodePercent } from '#contracts/scan-text.ts';

const FETCH = { maxBytes: MAX_UPLOAD_BYTES, timeoutMs: 30_000, accept: 'image/*', ports: [80, 443, 8080] };

const CHUNK_BYTES = 1024 * 1024;

const IMAGE_EXTENSIONS = new Set(
  Object.entries(UPLOAD_TYPES).flatMap(([type, extensions]) => (type.startsWith('image/') ? extensions : [])),
);

type UploadCall = Call<typeof declaration>;
type UploadFields = UploadCall['body'];

/** Requires the rights to edit posts and to upload files, and to edit the parent post. */
export async function authorizeUpload(call: UploadCall): Promise<void> {
  const { caller, others, body } = call;
  const id = others['id'];
  if (id !== undefined && id !== '' && Number(id) !== 0)
    throw call.refuse('rest_post_exists', 'A new media item cannot have an ID.');
  rejectForeignAuthor(call, kind);
  if (!can(caller, 'edit_posts') || !can(caller, 'upload_files'))
    throw call.refuse('rest_cannot_create', 'You are not allowed to upload files.');
  await authorizeParent(call, body.post);
}

/** A received file on disk, not yet in memory. */
interface ReceivedFile {
  read(): Promise<Buffer>;
  /** Deletes the temporary file. The transport deletes those of forms. */
  close?(): Promise<void>;
  /** File name sent by the client. */
  name: string;
  /** Default title. @default the stored file name */
  title?: string;
}

interface Upload extends ReceivedFile {
  fields: UploadFields;
  /** Error code for file types that cannot be uploaded. */
  refusal: 'rest_upload_sideload_error' | 'rest_upload_unknown_error';
}

/**
 * Receives an upload: the part `file` of a form, a body named by `Content-Disposition`, or the image at `url`. With
 * `url`, the request's texts for the media item are ignored.
 */
async function readUpload(call: UploadCall): Promise<Upload> {
  const fields = await readFields(call);
  if (fields.url !== undefined) {
    const { post, generate_sub_sizes, convert_format } = fields;
    const image = await fetchImage(fields.url, call);
    return { ...image, fields: { post, generate_sub_sizes, convert_format }, refusal: 'rest_upload_sideload_error' };
  }
  const isForm = getHeader(call, 'content-type').toLowerCase().startsWith('multipart/form-data');
  if (isForm) return { ...readPart(call), fields, refusal: 'rest_upload_unknown_error' };
  return { ...(await readBody(call)), fields, refusal: 'rest_upload_sideload_error' };
}

/** Parses a body of parameters that is not a file. The transport does not parse the bodies of this route. */
async function readFields(call: UploadCall): Promise<UploadFields> {
  const type = getHeader(call, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '';
  const isJson = /^application\/([\w.+-]+\+)?json$/.test(type);
  const isForm = type === 'application/x-www-form-urlencoded';
  if (getHeader(call, 'content-disposition') !== '' || !(isJson || isForm) || !call.upload) return call.body;
  const text = await readText({ request: call.upload });
  const { json: sent = {}, malformed } = isJson ? parseJson(text) : { json: parseQuery(text) };
  if (malformed) throw malformed;
  const problems: ParameterProblem[] = [];
  const parsed: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(uploadBody.shape)) {
    if (!Object.hasOwn(sent, name)) continue;
    const checked = checkParameter(name, schema, sent[name]);
    if ('problem' in checked) problems.push(checked.problem);
    else parsed[name] = checked.value;
  }
  if (problems.length > 0) throw invalidParameters(problems);
  return { ...call.body, ...parsed };
}

function readPart(call: UploadCall): ReceivedFile {
  const { files } = call;
  if (files.size === 0) throw call.refuse('rest_upload_no_data', 'The form contains no file.');
  const file = files.get('file');
  if (!file) throw createUploadError(call, 'rest_upload_unknown_error', 'The form has no part named "file".');
  const name = file.name.replaceAll('\0', '');
  return {
    name,
    title: name.replace(/\.[^.]*$/, ''),
    read: async () => checkDigest(call, await file.read()),
  };
}

async function readBody(call: UploadCall): Promise<ReceivedFile> {
  const { upload } = call;
  const disposition = getHeader(call, 'content-disposition');
  const noData = () => call.refuse('rest_upload_no_data', 'The request body is empty.');
  if (!upload || upload.body === null) throw noData();
  if (disposition === '')
    throw call.refuse(
      'rest_upload_no_content_disposition',
      'The Content-Disposition header is missing. Set it to name the file.',
    );
  const name = parseDispositionFileName(disposition);
  if (name === undefined)
    throw call.refuse(
      'rest_upload_invalid_disposition',
      'Content-Disposition does not name a file. Use `attachment; filename="image.png"`.',
    );
  const file = await createScratchFile();
  try {
    for await (const chunk of boundedBody({ request: upload }, MAX_UPLOAD_BYTES, createFileTooLargeError))
      await file.write(chunk);
    if (file.bytes === 0) throw noData();
  } catch (error) {
    await file.close();
    throw error;
  }
  return { name, read: async () => checkDigest(call, await file.read()), close: () => file.close() };
}

/** Decodes the file name. Clients send UTF-8, but headers are decoded as Latin-1. */
export function parseDispositionFileName(disposition: string): string | undefined {
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/i.exec(`;${disposition}`) ?? [];
  const name = Buffer.from((quoted ?? bare ?? '').trim(), 'latin1');
  const text = name.toString('utf8');
  const decoded = text.includes('\uFFFD') ? name.toString('latin1') : text;
  return decoded === '' ? undefined : decoded;
}

async function checkDigest(call: UploadCall, bytes: Buffer): Promise<Buffer> {
  const expected = getHeader(call, 'content-md5').trim().toLowerCase();
  if (expected !== '' && (await digestMd5(bytes)) !== expected)
    throw call.refuse('rest_upload_hash_mismatch', 'The file does not match the Content-MD5 header.');
  return bytes;
}

/** Hashes a file in chunks, so that other requests are served in between. */
async function digestMd5(bytes: Buffer): Promise<string> {
  const hash = createHash('md5');
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    hash.update(bytes.subarray(at, at + CHUNK_BYTES));
    await setImmediate();
  }
  return hash.digest('hex');
}

function getHeader({ upload }: Pick<UploadCall, 'upload'>, name: string): string {
  return upload?.headers.get(name) ?? '';
}

/**
 * Reads the image at a URL. Images of this site are read from the store. Other hosts must be on the public network.
 */
async function fetchImage(address: string, call: UploadCall): Promise<ReceivedFile> {
  const { context, addresses } = call;
  const isLocal = URL.canParse(address) && new URL(address).origin === new URL(addresses.site).origin;
  if (!isLocal) await checkAddress(address);
  const name = readName(address, call);
  if (isLocal) {
    const path = uploadPath(address, addresses.site);
    const bytes = path === undefined ? undefined : await context.files.uploads.read(path);
    if (!bytes) throw notFound(404, call);
    return { name, read: () => Promise.resolve(bytes) };
  }
  const response = await guardedFetch(address, FETCH).catch((error: unknown) => {
    throw toUploadError(error, call);
  });
  if (response.status !== 200) throw notFound(response.status, call);
  return { name, read: () => Promise.resolve(response.body) };
}

async function checkAddress(address: string): Promise<void> {
  await checkTarget(address, FETCH).catch((error: unknown) => {
    if (!isSortimentError(error)) throw error;
    const text = 'The URL must be an http or https URL of an image on the public network.';
    throw invalidParameters([{ name: 'url', code: 'rest_invalid_url', text, data: { status: 400 } }]);
  });
}

function readName(address: string, { refuse }: UploadCall): string {
  const segment = new URL(address).pathname.split('/').at(-1) ?? '';
  const name = decodePercent(segment);
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (name === '' || !IMAGE_EXTENSIONS.has(extension))
    throw refuse('rest_invalid_url', 'The URL must end in the file name of an image.');
  return name;
}

/** Omits the response body of the other server, which may be confidential. */
function notFound(status: number, call: UploadCall): RestError {
  return createUploadError(call, 'http_404', `Fetching the URL failed with status ${status}.`, { code: status });
}

function toUploadError(error: unknown, call: UploadCall): unknown {
  const { refuse } = call;
  if (!isSortimentError(error)) return error;
  if (error.code === 'FETCH_TOO_LARGE') return refuse('rest_upload_file_too_big', error.message, { status: 400 });
  if (error.code === 'FETCH_REFUSED') return refuse('rest_invalid_url', 'The URL redirects to a forbidden address.');
  return createUploadError(call, 'http_request_failed', error.message);
}

/**
 * Creates the error for a file of the wrong type, or one that could not be fetched. The status is 400. Under the
 * namespaces of stock servers it is 500, as their clients expect.
 */
function createUploadError(
  { context, refuse }: UploadCall,
  code: Upload['refusal'] | 'http_404' | 'http_request_failed',
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): RestError {
  return refuse(code, message, { details, ...(hasStockNames(context.namespaces) ? { status: 500 } : {}) });
}

const kind = CONTENT_KINDS.attachment;

/** Limits the number of files in memory. Others wait on disk. */
const inMemory = pLimit(2);

/** Stores an uploaded file and its sizes, and returns the media item in the edit context. */
export async function createMedia(call: UploadCall): Promise<ResultOf<typeof declaration>> {
  const upload = await readUpload(call);
  try {
    return await inMemory(() => storeUpload(call, upload));
  } finally {
    await upload.close?.();
  }
}

async function storeUpload(
  call: UploadCall,
  { read, name, title, fields, refusal }: Upload,
): Promise<ResultOf<typeof declaration>> {
  const { addresses } = call;
  const bytes = await read();
  await authorizeParent(call, fields.post);
  const file = await detectUploadType(bytes, cleanFileName(name));
  if (!file) throw createUploadError(call, refusal, 'Files of this type cannot be uploaded.');
  if (fields.featured_media && file.mimeType.startsWith('image/'))
    throw call.refuse('rest_no_featured_media', 'Images cannot have a featured image.');
  const prepared = await prepareMedia(bytes, file, { generateSizes: fields.generate_sub_sizes, refuse: call.refuse });
  const row = await insertMedia(call, {
    prepared,
    folder: await findFolder(call, fields.post),
    name: file,
    sent: ({ base }) => ({
      ...fields,
      title: fields.title ?? (prepared.title || (title ?? base)),
      caption: fields.caption ?? prepared.caption,
    }),
  });
  return created(await presentWritten(call, kind, row, presentMedia), addresses.rest(`${kind.base}/${row.id}`));
}

/** Returns the upload folder of the parent's kind, else the month of the parent post, else the current month. */
async function findFolder(call: UploadCall, post: number | undefined): Promise<string> {
  const { timezone } = await loadSite(call);
  const now = toSiteTime(new Date(), timezone);
  const { db } = call.context.store;
  const [parent] = post
    ? await db.select({ type: content.type, date: content.date }).from(content).where(eq(content.id, post)).limit(1)
    : [];
  const { uploadFolder } = (parent && call.context.kinds.get(parent.type)) ?? {};
  return uploadFolder ?? monthFolder(parent && parent.type !== 'page' ? parent.date : now);
}

/** Formats the month of a site time as `2026/11`. */
export function monthFolder(siteTime: string): string {
  return siteTime.slice(0, 7).replace('-', '/');
}

interface NewMedia {
  prepared: PreparedMedia;
  /** Path relative to the uploads folder. */
  folder: string;
  name: FileName;
  /** Returns the request with the defaults of its texts, for example the title from the file name. */
  sent(stored: StoredMedia): MediaInput;
  /** Additional fields of `media_details`. */
  details?: Record<string, unknown>;
}

/** Writes the files of a media item, then its row. If the row fails, the files are removed. */
export async function insertMedia(call: AnyCall<MediaErrorCode>, mediaItem: NewMedia): Promise<ContentRow> {
  const { context, addresses } = call;
  const { db } = context.store;
  const files = context.files.uploads;
  const stored = await storeMediaFiles(files, mediaItem.prepared, mediaItem);
  const scope = await loadWritingScope(call, kind);
  let row: ContentRow;
  try {
    row = await writeContent(db, async (tx, now) => {
      const planned = await planMedia(tx, mediaItem.sent(stored), undefined, { ...scope, now });
      const guid = `${scope.site.url ?? addresses.site}/uploads/${stored.original}`;
      const fileColumns = {
        guid,
        file: stored.file,
        mimeType: mediaItem.prepared.mimeType,
        mediaDetails: { ...stored.mediaDetails, ...mediaItem.details },
      };
      const added = await insertRow(tx, content, { ...planned, ...fileColumns });
      const owner = { id: added.id, type: 'attachment', parentId: added.parentId, slug: undefined } as const;
      const slug = added.slug || (await findFreeSlug(tx, String(added.id), owner));
      if (slug !== added.slug) await tx.update(content).set({ slug }).where(eq(content.id, added.id));
      await announceMedia(tx, undefined, added);
      return { ...added, slug };
    });
  } catch (error) {
    // The commit may have succeeded despite the error. The journal entry stays until the store can tell.
    await resolvePendingFiles(db, files, stored.original).catch(() => undefined);
    throw error;
  }
  await removeEntry(files, stored.original);
  return row;
}
