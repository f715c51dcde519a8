import { dropNul } from './drop-nul.ts';
import { parseQuery, type SentParameters } from './parse-query.ts';
import { boundedBody, MAX_BODY_BYTES } from './bounded-body.ts';
import { fileTooLarge, readForm } from './read-form.ts';
import { RestError } from './rest-error.ts';
import type { HttpSource, RestRequest } from './rest-request.ts';

export type RequestBody = Pick<RestRequest, 'json' | 'form' | 'files' | 'malformed'>;

/**
 * Reads the parameters in a body: JSON, or a form. Bodies of other types are left alone, and so is everything but
 * a multipart form where a route takes files: there the body is the file, whatever type it claims.
 *
 * @param maxUploadBytes what a file in a multipart form may measure; 0 where no files are taken
 */
export async function readBody(source: HttpSource, maxUploadBytes = 0): Promise<RequestBody> {
  const { headers } = source.request;
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') return readMultipart(source, maxUploadBytes);
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

export async function readText(source: HttpSource): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of boundedBody(source, MAX_BODY_BYTES)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function readMultipart(source: HttpSource, maxFileBytes: number): Promise<RequestBody> {
  const body = boundedBody(
    source,
    maxFileBytes + MAX_BODY_BYTES,
    maxFileBytes > 0 ? () => fileTooLarge(maxFileBytes) : undefined,
  );
  const form = await readForm(body, source.request.headers.get('content-type') ?? '', maxFileBytes);
  if (!form) return {};
  const { fields, files } = form;
  return { form: parseQuery(new URLSearchParams(fields).toString()), files };
}
