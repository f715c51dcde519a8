import { isSortimentError } from '#contracts/index.ts';
import { MAX_UPLOAD_BYTES } from '#contracts/core/media.ts';
import { checkTarget, guardedFetch } from '#origin/platform/guarded-fetch/index.ts';
import { invalidParameters, RestError } from '#origin/platform/http/transport/index.ts';
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
export async function fetchPicture(
  address: string,
  { context, addresses }: Pick<UploadCall, 'context' | 'addresses'>,
): Promise<{ bytes: Buffer; name: string }> {
  const own = URL.canParse(address) && new URL(address).origin === new URL(addresses.site).origin;
  if (!own) await checkAddress(address);
  const name = readName(address);
  if (own) {
    const path = uploadPath(address, addresses.site);
    const bytes = path === undefined ? undefined : await mediaFiles(context).read(path);
    if (!bytes) throw notFound(404);
    return { bytes, name };
  }
  const answer = await guardedFetch(address, {
    maxBytes: MAX_UPLOAD_BYTES,
    timeoutMs: TIMEOUT_MS,
    accept: 'image/*',
    ports: PORTS,
  }).catch((error: unknown) => {
    throw wordFailure(error);
  });
  if (answer.status !== 200) throw notFound(answer.status);
  return { bytes: answer.body, name };
}

async function checkAddress(address: string): Promise<void> {
  await checkTarget(address, { ports: PORTS }).catch((error: unknown) => {
    if (!isSortimentError(error)) throw error;
    const text = 'The address has to be that of a picture on the public network, by http or https.';
    throw invalidParameters([{ name: 'url', code: 'rest_invalid_url', text, data: { status: 400 } }]);
  });
}

function readName(address: string): string {
  const segment = new URL(address).pathname.split('/').at(-1) ?? '';
  const name = decodeName(segment);
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (name === '' || !PICTURES.has(extension))
    throw new RestError('rest_invalid_url', 400, 'The address has to end in the name of a picture.');
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
function notFound(status: number): RestError {
  return new RestError('http_404', 500, `The address was answered with the status ${status}.`, { code: status });
}

function wordFailure(error: unknown): unknown {
  if (!isSortimentError(error)) return error;
  if (error.code === 'FETCH_TOO_LARGE') return new RestError('rest_upload_file_too_big', 400, error.message);
  if (error.code === 'FETCH_REFUSED') return new RestError('rest_invalid_url', 400, 'The address leads elsewhere.');
  return new RestError('http_request_failed', 500, error.message);
}
