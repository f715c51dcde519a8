import { isSortimentError } from '#contracts/index.ts';
import { MAX_UPLOAD_BYTES } from '#contracts/core/media.ts';
import { checkTarget, guardedFetch } from '#origin/platform/guarded-fetch/index.ts';
import { invalidParameters, type RestError } from '#origin/platform/http/transport/index.ts';
import { mediaFiles } from './media-files.ts';
import type { UploadCall } from './upload-call.ts';
import { uploadPath } from './upload-path.ts';
import { UPLOAD_TYPES } from '#origin/platform/files/upload-types.ts';

const PORTS = [80, 443, 8080];
const TIMEOUT_MS = 30_000;

const PICTURES = new Set(
  Object.entries(UPLOAD_TYPES).flatMap(([type, extensions]) => (type.startsWith('image/') ? extensions : [])),
);

/**
 * Reads the picture at an address. What lies on this site is read where it is stored; everything else has to be on
 * the public network.
 */
export async function fetchPicture(address: string, call: UploadCall): Promise<{ bytes: Buffer; name: string }> {
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
function notFound(status: number, { refuse }: UploadCall): RestError {
  return refuse('http_404', `The address was answered with the status ${status}.`, { details: { code: status } });
}

function wordFailure(error: unknown, { refuse }: UploadCall): unknown {
  if (!isSortimentError(error)) return error;
  if (error.code === 'FETCH_TOO_LARGE') return refuse('rest_upload_file_too_big', error.message, { status: 400 });
  if (error.code === 'FETCH_REFUSED') return refuse('rest_invalid_url', 'The address leads elsewhere.');
  return refuse('http_request_failed', error.message);
}
