import { dropNul } from './drop-nul.ts';
import { parseQuery, type SentParameters } from './parse-query.ts';
import { RestError } from './rest-error.ts';
import type { HttpSource, RestRequest } from './rest-request.ts';

/** Larger bodies of JSON and form fields are refused. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

export type RequestBody = Pick<RestRequest, 'json' | 'form' | 'files' | 'malformed'>;

/**
 * Reads the parameters in a body: JSON, or a form. Bodies of other types are left alone, and so is everything but
 * a multipart form where a route takes files: there the body is the file, whatever type it claims.
 *
 * @param maxUploadBytes what a multipart form with files may measure; 0 where no files are taken
 */
export async function readBody(source: HttpSource, maxUploadBytes = 0): Promise<RequestBody> {
  const { headers } = source.request;
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') return readMultipart(source.request, Math.max(maxUploadBytes, MAX_BODY_BYTES));
  if (maxUploadBytes > 0) return {};
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) return parseJson(await readText(source));
  if (type === 'application/x-www-form-urlencoded') return { form: parseQuery(await readText(source)) };
  return {};
}

function parseJson(text: string): RequestBody {
  if (text === '') return {};
  try {
    const parsed: unknown = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? dropNul(value) : value,
    );
    const isMap = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isMap ? { json: parsed as SentParameters } : {};
  } catch {
    const details = { json_error_code: 4, json_error_message: 'Syntax error' };
    return { malformed: new RestError('rest_invalid_json', 400, 'The body is not valid JSON.', details) };
  }
}

/** Web requests have no body under GET and HEAD, HTTP requests may; those are read from the socket. */
async function readText({ request, incoming }: HttpSource): Promise<string> {
  const isBodiless = request.method === 'GET' || request.method === 'HEAD';
  const source: AsyncIterable<Uint8Array> | null | undefined = isBodiless ? incoming : request.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function readMultipart(request: Request, maxBytes: number): Promise<RequestBody> {
  if (Number(request.headers.get('content-length') ?? Infinity) > maxBytes) throw tooLarge(maxBytes);
  const form = await request.formData().catch(() => undefined);
  if (!form) return {};
  const parts = [...form];
  const fields = parts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  const files = parts.flatMap(([name, value]) => (typeof value === 'string' ? [] : [[name, value] as const]));
  return { form: parseQuery(new URLSearchParams(fields).toString()), files: new Map(files) };
}

function tooLarge(maxBytes: number): RestError {
  return new RestError('rest_body_too_large', 413, `The body is larger than ${maxBytes} bytes.`);
}
