import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { MAX_UPLOAD_BYTES, uploadBody } from '#contracts/core/media.ts';
import { hasStockNames, isSortimentError } from '#contracts/index.ts';
import { UPLOAD_TYPES } from '#origin/platform/files/upload-types.ts';
import { checkTarget, guardedFetch } from '#origin/platform/guarded-fetch/index.ts';
import {
  boundedBody,
  createScratchFile,
  createFileTooLargeError,
  invalidParameters,
  parseJson,
  readText,
  type ParameterProblem,
  type RestError,
} from '#origin/platform/http/transport/index.ts';
import { checkParameter } from '#origin/platform/http/transport/parse-parameters.ts';
import { parseQuery } from '#origin/platform/http/transport/rest-request.ts';
import { mediaFiles, uploadPath } from '#origin/platform/media/media-files.ts';
import type { UploadCall, UploadFields } from './upload-call.ts';

const PORTS = [80, 443, 8080];

const TIMEOUT_MS = 30_000;

const PIECE_BYTES = 1024 * 1024;

const PICTURES = new Set(
  Object.entries(UPLOAD_TYPES).flatMap(([type, extensions]) => (type.startsWith('image/') ? extensions : [])),
);

/** A file that has come, and does not lie in memory yet. */
interface Received {
  read(): Promise<Buffer>;
  /** Gives up what it is kept in. */
  close(): Promise<void>;
  /** As the client named it. */
  name: string;
  /** What the media item is called unless the client says; without, as its file is stored. */
  title?: string;
}

export interface Upload extends Received {
  fields: UploadFields;
  /** Code of the refusal of a file that may not be uploaded. */
  refusal: 'rest_upload_sideload_error' | 'rest_upload_unknown_error';
}

/**
 * Receives what is uploaded: a part `file` of a form, the body itself under the name in `Content-Disposition`, or what
 * lies at `url`. Of that, only `post` is taken from the request, as everything else is up to who finds it there.
 */
export async function readUpload(call: UploadCall): Promise<Upload> {
  const fields = await readFields(call);
  if (fields.url !== undefined) {
    const { post, generate_sub_sizes, convert_format } = fields;
    const { bytes, name } = await fetchPicture(fields.url, call);
    return {
      name,
      read: () => Promise.resolve(bytes),
      close: () => Promise.resolve(),
      fields: { post, generate_sub_sizes, convert_format },
      refusal: 'rest_upload_sideload_error',
    };
  }
  if (isMultipart(call)) return { ...readPart(call), fields, refusal: 'rest_upload_unknown_error' };
  return { ...(await readBody(call)), fields, refusal: 'rest_upload_sideload_error' };
}

/** A body of parameters, where it names no file: the transport leaves bodies of this route alone. */
async function readFields(call: UploadCall): Promise<UploadFields> {
  const type = headerOf(call, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '';
  const isJson = /^application\/([\w.+-]+\+)?json$/.test(type);
  const isForm = type === 'application/x-www-form-urlencoded';
  if (headerOf(call, 'content-disposition') !== '' || !(isJson || isForm) || !call.upload) return call.body;
  const text = await readText({ request: call.upload });
  const { json: sent = {}, malformed } = isJson ? parseJson(text) : { json: parseQuery(text) };
  if (malformed) throw malformed;
  const problems: ParameterProblem[] = [];
  const parsed: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(uploadBody.shape)) {
    if (!Object.hasOwn(sent, name)) continue;
    const checked = checkParameter(name, schema, sent[name]);
    if (checked.ok) parsed[name] = checked.value;
    else problems.push(checked.problem);
  }
  if (problems.length > 0) throw invalidParameters(problems);
  return { ...call.body, ...parsed };
}

function isMultipart(call: UploadCall): boolean {
  return headerOf(call, 'content-type').toLowerCase().startsWith('multipart/form-data');
}

function readPart(call: UploadCall): Received {
  const { files } = call;
  if (files.size === 0) throw call.refuse('rest_upload_no_data', 'There is no file in the form.');
  const file = files.get('file');
  if (!file) throw createUploadError(call, 'rest_upload_unknown_error', 'The file has to be sent as the part "file".');
  const name = file.name.replaceAll('\0', '');
  return {
    name,
    title: name.replace(/\.[^.]*$/, ''),
    read: async () => checkDigest(call, await file.read()),
    // It is the form's.
    close: () => Promise.resolve(),
  };
}

async function readBody(call: UploadCall): Promise<Received> {
  const { upload } = call;
  const disposition = headerOf(call, 'content-disposition');
  if (!upload || upload.body === null) throw noData(call);
  if (disposition === '')
    throw call.refuse('rest_upload_no_content_disposition', 'Content-Disposition has to name the file.');
  const name = readDispositionName(disposition);
  if (name === undefined)
    throw call.refuse(
      'rest_upload_invalid_disposition',
      'Content-Disposition does not name a file: write `attachment; filename="picture.png"`.',
    );
  const file = await createScratchFile();
  try {
    for await (const chunk of boundedBody({ request: upload }, MAX_UPLOAD_BYTES, createFileTooLargeError))
      await file.write(chunk);
    if (file.bytes === 0) throw noData(call);
  } catch (error) {
    await file.close();
    throw error;
  }
  return { name, read: async () => checkDigest(call, await file.read()), close: () => file.close() };
}

/** Clients send names as UTF-8; headers arrive as Latin-1. */
export function readDispositionName(disposition: string): string | undefined {
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/i.exec(`;${disposition}`) ?? [];
  const name = Buffer.from((quoted ?? bare ?? '').trim(), 'latin1');
  const text = name.toString('utf8');
  const decoded = text.includes('\uFFFD') ? name.toString('latin1') : text;
  return decoded === '' ? undefined : decoded;
}

async function checkDigest(call: UploadCall, bytes: Buffer): Promise<Buffer> {
  const wanted = headerOf(call, 'content-md5').trim().toLowerCase();
  if (wanted !== '' && (await digestMd5(bytes)) !== wanted)
    throw call.refuse('rest_upload_hash_mismatch', 'The file is not the one that Content-MD5 is of.');
  return bytes;
}

/** Digests a file in pieces, between which other requests are served. */
async function digestMd5(bytes: Buffer): Promise<string> {
  const hash = createHash('md5');
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    hash.update(bytes.subarray(at, at + PIECE_BYTES));
    await setImmediate();
  }
  return hash.digest('hex');
}

function headerOf({ upload }: Pick<UploadCall, 'upload'>, name: string): string {
  return upload?.headers.get(name) ?? '';
}

function noData({ refuse }: UploadCall): RestError {
  return refuse('rest_upload_no_data', 'There is no file in the body.');
}

/**
 * Reads the picture at an address. What lies on this site is read where it is stored; everything else has to be on
 * the public network.
 */
async function fetchPicture(address: string, call: UploadCall): Promise<{ bytes: Buffer; name: string }> {
  const { context, addresses } = call;
  const own = URL.canParse(address) && new URL(address).origin === new URL(addresses.site).origin;
  if (!own) await checkAddress(address);
  const name = readName(address, call);
  if (own) {
    const path = uploadPath(address, addresses.site);
    const bytes = path === undefined ? undefined : await mediaFiles(context).read(path);
    if (!bytes) throw notFound(404, call);
    return { bytes, name };
  }
  const answer = await guardedFetch(address, {
    maxBytes: MAX_UPLOAD_BYTES,
    timeoutMs: TIMEOUT_MS,
    accept: 'image/*',
    ports: PORTS,
  }).catch((error: unknown) => {
    throw wordFailure(error, call);
  });
  if (answer.status !== 200) throw notFound(answer.status, call);
  return { bytes: answer.body, name };
}

async function checkAddress(address: string): Promise<void> {
  await checkTarget(address, { ports: PORTS }).catch((error: unknown) => {
    if (!isSortimentError(error)) throw error;
    const text = 'The address has to be that of a picture on the public network, by http or https.';
    throw invalidParameters([{ name: 'url', code: 'rest_invalid_url', text, data: { status: 400 } }]);
  });
}

function readName(address: string, { refuse }: UploadCall): string {
  const segment = new URL(address).pathname.split('/').at(-1) ?? '';
  const name = decodeName(segment);
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (name === '' || !PICTURES.has(extension))
    throw refuse('rest_invalid_url', 'The address has to end in the name of a picture.');
  return name;
}

function decodeName(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** What the server said is kept from the caller: it may be meant for nobody outside. */
function notFound(status: number, call: UploadCall): RestError {
  return createUploadError(call, 'http_404', `The address was answered with the status ${status}.`, { code: status });
}

function wordFailure(error: unknown, call: UploadCall): unknown {
  const { refuse } = call;
  if (!isSortimentError(error)) return error;
  if (error.code === 'FETCH_TOO_LARGE') return refuse('rest_upload_file_too_big', error.message, { status: 400 });
  if (error.code === 'FETCH_REFUSED') return refuse('rest_invalid_url', 'The address leads elsewhere.');
  return createUploadError(call, 'http_request_failed', error.message);
}

/**
 * Creates the error for a file that is not of its type, or could not be fetched. The status is 400, and under the names
 * of stock servers 500, as their clients expect.
 */
export function createUploadError(
  { context, refuse }: UploadCall,
  code: Upload['refusal'] | 'http_404' | 'http_request_failed',
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): RestError {
  return refuse(code, message, { details, ...(hasStockNames(context.namespaces) ? { status: 500 } : {}) });
}
