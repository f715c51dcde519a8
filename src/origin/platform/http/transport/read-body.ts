import {
  getContentLength,
  createBodyTooLargeError,
  boundedBody,
  MAX_BODY_BYTES,
  readBytes,
  type HttpSource,
} from './bounded-body.ts';
import { removeUnstorable, parseFields, parseQuery, type RawParameters, type RestRequest } from './rest-request.ts';
import { createFileTooLargeError, readForm } from './read-form.ts';
import { createCommonError } from './rest-error.ts';

/** More than any valid request has: 25 batch requests with all writable fields. */
const MAX_VALUES = 100_000;

/** Limit of other servers of this interface. */
const MAX_DEPTH = 512;

const [QUOTE, COMMA, SQUARE, SQUARE_END, CURLY, CURLY_END, BACKSLASH] = [34, 44, 91, 93, 123, 125, 92];

export type RequestBody = Pick<RestRequest, 'json' | 'form' | 'files' | 'malformed'>;

/**
 * Parses the parameters in a body: JSON or a form. Bodies of other types are ignored.
 *
 * For upload routes only multipart forms are parsed; any other body is the file itself.
 *
 * @param maxUploadBytes maximum size of a file in a multipart form; 0 to ignore files
 * @param maxBytes maximum size of everything else
 * @throws RestError 413 if a limit is exceeded
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

/** Parses JSON parameters. @throws RestError 413 for more values than any valid request has */
export function parseJson(text: string): Pick<RequestBody, 'json' | 'malformed'> {
  if (text === '') return {};
  const complexity = checkComplexity(text);
  if (complexity === 'too many') throw createBodyTooLargeError(MAX_BODY_BYTES);
  try {
    if (complexity === 'too deep') throw new SyntaxError('Too deep.');
    const parsed: unknown = dropNulIn(text, JSON.parse(text));
    const isMap = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isMap ? { json: parsed as RawParameters } : {};
  } catch {
    const details = { json_error_code: 4, json_error_message: 'Syntax error' };
    return { malformed: createCommonError('rest_invalid_json', 'The body is not valid JSON.', { details: details }) };
  }
}

export async function readText(source: HttpSource, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const { request } = source;
  // With a declared length, reading without a stream takes a tenth of the time.
  const hasLength = request.headers.has('content-length') && getContentLength(request) <= maxBytes;
  if (hasLength && request.method !== 'GET' && request.method !== 'HEAD')
    return Buffer.from(await request.arrayBuffer()).toString('utf8');
  return (await readBytes(source, maxBytes)).toString('utf8');
}

async function readMultipart(source: HttpSource, maxFileBytes: number, maxBytes: number): Promise<RequestBody> {
  const body = boundedBody(
    source,
    maxFileBytes + maxBytes,
    maxFileBytes > 0 ? () => createFileTooLargeError(maxFileBytes) : undefined,
  );
  const form = await readForm(body, source.request.headers.get('content-type') ?? '', maxFileBytes);
  if (!form) return {};
  const { fields, files } = form;
  return { form: parseFields(fields), files };
}

/** Counts values and nesting depth before parsing, as parsing allocates memory for each value. */
function checkComplexity(json: string): 'fits' | 'too many' | 'too deep' {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = findClosingQuote(json, at);
        break;
      case COMMA:
        values++;
        break;
      case SQUARE:
      case CURLY:
        values++;
        depth++;
        break;
      case SQUARE_END:
      case CURLY_END:
        depth--;
    }
    if (values > MAX_VALUES) return 'too many';
    if (depth > MAX_DEPTH) return 'too deep';
  }
  return 'fits';
}

/** Returns the position of the next unescaped quote. */
function findClosingQuote(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/** Removes text that the store can't represent. JSON can contain it as an escape sequence only. */
function dropNulIn(json: string, parsed: unknown): unknown {
  return /\\u(?:0000|d[89a-f])/i.test(json) ? dropNulDeep(parsed) : parsed;
}

function dropNulDeep(value: unknown): unknown {
  if (typeof value === 'string') return removeUnstorable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(dropNulDeep);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, dropNulDeep(member)]));
}
