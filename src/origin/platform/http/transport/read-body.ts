import { parseQuery, type SentParameters } from './parse-query.ts';
import { bodyTooLarge, boundedBody, MAX_BODY_BYTES } from './bounded-body.ts';
import { dropNulIn, sizeUp } from './json-limits.ts';
import { fileTooLarge, readForm } from './read-form.ts';
import { refuseCommon } from './rest-error.ts';
import type { RestRequest } from './rest-request.ts';
import type { HttpSource } from './bounded-body.ts';

export type RequestBody = Pick<RestRequest, 'json' | 'form' | 'files' | 'malformed'>;

/**
 * Reads the parameters in a body: JSON, or a form. Bodies of other types are left alone, and so is everything but
 * a multipart form where a route takes files: there the body is the file, whatever type it claims.
 *
 * @param maxUploadBytes what a file in a multipart form may measure; 0 where no files are taken
 * @param maxBytes what everything else may measure
 * @throws RestError 413 for more
 */
export async function readBody(
  source: HttpSource,
  maxUploadBytes = 0,
  maxBytes = MAX_BODY_BYTES,
): Promise<RequestBody> {
  const { headers } = source.request;
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') return readMultipart(source, maxUploadBytes, maxBytes);
  if (maxUploadBytes > 0) return {};
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) return parseJson(await readText(source, maxBytes));
  if (type === 'application/x-www-form-urlencoded') return { form: parseQuery(await readText(source, maxBytes)) };
  return {};
}

/** @throws RestError 413 for JSON of more values than any request has */
function parseJson(text: string): RequestBody {
  if (text === '') return {};
  const size = sizeUp(text);
  if (size === 'too many') throw bodyTooLarge(MAX_BODY_BYTES);
  try {
    if (size === 'too deep') throw new SyntaxError('Too deep.');
    const parsed: unknown = dropNulIn(text, JSON.parse(text));
    const isMap = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isMap ? { json: parsed as SentParameters } : {};
  } catch {
    const details = { json_error_code: 4, json_error_message: 'Syntax error' };
    return { malformed: refuseCommon('rest_invalid_json', 'The body is not valid JSON.', { details: details }) };
  }
}

export async function readText(source: HttpSource, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of boundedBody(source, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function readMultipart(source: HttpSource, maxFileBytes: number, maxBytes: number): Promise<RequestBody> {
  const body = boundedBody(
    source,
    maxFileBytes + maxBytes,
    maxFileBytes > 0 ? () => fileTooLarge(maxFileBytes) : undefined,
  );
  const form = await readForm(body, source.request.headers.get('content-type') ?? '', maxFileBytes);
  if (!form) return {};
  const { fields, files } = form;
  return { form: parseQuery(new URLSearchParams(fields).toString()), files };
}
