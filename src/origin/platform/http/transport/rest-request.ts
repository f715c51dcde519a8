import type { HttpBindings } from '@hono/node-server';
import qs from 'qs';
import { tooManyFields, type HttpSource } from './bounded-body.ts';
import { dropNul } from './drop-nul.ts';
import { FieldSelection } from './field-selection.ts';
import { invalidParameters } from './parameter-problem.ts';
import { type RestError, refuseCommon } from './rest-error.ts';
import type { ScratchFile } from './scratch-file.ts';

/** Maximum number of fields of a form or a query. */
export const MAX_PARAMETERS = 1000;

const MAX_DEPTH = 6;

const [PLUS, SPACE] = [43, 32];

/** A request to the interface, whatever brought it: HTTP, an embedded link, a batch. */
export interface RestRequest {
  method: string;
  /** Below the REST root under its wire names, decoded, without slashes at the ends. */
  path: string;
  json?: SentParameters;
  form?: SentParameters;
  query: SentParameters;
  /** Files of a multipart form, by the name of their field. */
  files?: ReadonlyMap<string, SentFile>;
  /** The body was announced as JSON and is none. */
  malformed?: RestError;
  /** Where it came from, when it came over HTTP; its body is read once the route is known. */
  http?: HttpSource;
}

/** A parameter as it counts: its strongest source wins. */
export interface MergedParameter {
  sent: unknown;
  source: ParameterSource;
  /** What the path has for it, which a stronger source may hide. */
  captured?: string | undefined;
}

/** Merges the sources: a body beats the query, the query beats what the path captured. */
export function mergeParameters(
  request: RestRequest,
  captured: Readonly<Record<string, string>>,
): Map<string, MergedParameter> {
  const merged = new Map<string, MergedParameter>();
  const sources = { json: request.json, form: request.form, query: request.query, path: captured };
  for (const source of PARAMETER_SOURCES) {
    for (const [name, sent] of Object.entries(sources[source] ?? {})) {
      if (!merged.has(name)) merged.set(name, { sent, source, captured: captured[name] });
    }
  }
  return merged;
}

/** Maximum length of `_fields`. All names of the largest resource have a tenth of it. */
const MAX_FIELDS_LENGTH = 10_000;

/** Returns the fields that are asked for; all fields where `checkFields` throws. */
export function fieldsOf(request: RestRequest): FieldSelection {
  const sent = sentFields(request);
  return isTooLong(sent) ? new FieldSelection() : FieldSelection.read(sent);
}

/** @throws RestError 400 where `_fields` names more than any resource has: to read it takes long */
export function checkFields(request: RestRequest): void {
  if (!isTooLong(sentFields(request))) return;
  const text = `_fields has more than ${MAX_FIELDS_LENGTH} characters. Leave it out to get all fields.`;
  throw invalidParameters([{ name: '_fields', text }]);
}

function sentFields({ json, form, query }: RestRequest): unknown {
  return json?.['_fields'] ?? form?.['_fields'] ?? query['_fields'];
}

function isTooLong(sent: unknown): boolean {
  const parts = Array.isArray(sent) ? sent : [sent];
  let letters = 0;
  for (const part of parts) if (typeof part === 'string') letters += part.length + 1;
  return letters > MAX_FIELDS_LENGTH;
}

/** A file of a form, as its client named it. */
export interface SentFile extends ScratchFile {
  name: string;
}

/** Where a parameter came from, the stronger source first. */
export const PARAMETER_SOURCES = ['json', 'form', 'query', 'path'] as const;

export type ParameterSource = (typeof PARAMETER_SOURCES)[number];

/**
 * Reads an HTTP request below the REST root. The method may be overridden by `_method` or a header.
 *
 * @param path below the REST root, as in the address
 */
export function readRequest(raw: Request, path: string, incoming?: HttpBindings['incoming']): RestRequest {
  const query = parseQuery(new URL(raw.url).search.slice(1));
  delete query['rest_route'];
  const override = query['_method'] ?? raw.headers.get('x-http-method-override') ?? raw.method;
  return {
    method: String(override).toUpperCase(),
    path: cleanPath(path),
    query,
    http: { request: raw, ...(incoming ? { incoming } : {}) },
  };
}

function cleanPath(path: string): string {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  try {
    return decodeURIComponent(inner);
  } catch {
    return inner;
  }
}

/** Parameters by name, as they were sent: texts, and lists and maps written with brackets. */
export type SentParameters = Record<string, unknown>;

/**
 * Reads `a=1&b[]=2&c[terms]=3`. A name without a value is an empty text; of a name sent twice, the last counts.
 *
 * @throws RestError 413 for too many parameters. They are counted before anything is parsed.
 */
export function parseQuery(text: string): SentParameters {
  if (hasMoreFields(text, MAX_PARAMETERS)) throw tooManyFields(MAX_PARAMETERS);
  return qs.parse(text, {
    decoder: (part, decode) => dropNul(decode(spaced(part))),
    duplicates: 'last',
    depth: MAX_DEPTH,
    arrayLimit: MAX_PARAMETERS,
    parameterLimit: MAX_PARAMETERS,
  });
}

function hasMoreFields(text: string, maxFields: number): boolean {
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > maxFields) return true;
  }
  return false;
}

/** Replaces each `+` with a space. Millions of them would take an expression half a second. */
function spaced(part: string): string {
  if (part.length < 1000) return part.replaceAll('+', ' ');
  const bytes = Buffer.from(part);
  for (let at = bytes.indexOf(PLUS); at >= 0 && at < bytes.length; at += 1) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return bytes.toString();
}

/**
 * The function that `_jsonp` wants to be called with the answer: a name, dots allowed, and nothing that could be code.
 * The empty text asks for none.
 *
 * @param isServed whether this origin answers with scripts at all
 * @throws RestError `rest_callback_disabled`, `rest_callback_invalid`
 */
export function readCallback(sent: string | null, isServed: boolean): string | undefined {
  if (sent === null) return undefined;
  if (!isServed) throw refuseCommon('rest_callback_disabled', 'JSONP is not supported.');
  if (/[^\w.]/.test(sent)) throw refuseCommon('rest_callback_invalid', 'Invalid JSONP callback function.');
  return sent || undefined;
}
