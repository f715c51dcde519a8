import type { HttpBindings } from '@hono/node-server';
import qs from 'qs';
import { invalidParameters, type RestError, createCommonError } from './rest-error.ts';
import { decodePercent } from '#contracts/scan-text.ts';

/** Maximum number of fields of a form or a query. */
export const MAX_PARAMETERS = 1000;

const MAX_DEPTH = 6;

const [PLUS, SPACE] = [43, 32];

/** A request to the interface, from HTTP, an embedded link or a batch. */
export interface RestRequest {
  method: string;
  /** Path below the REST root with wire names, decoded, without slashes at the ends. */
  path: string;
  json?: RawParameters;
  form?: RawParameters;
  query: RawParameters;
  /** Files of a multipart form by field name. */
  files?: ReadonlyMap<string, UploadedFile>;
  /** Set if a JSON body is malformed. */
  malformed?: RestError;
  /** The HTTP request. Its body is read when the route is known. */
  http?: HttpSource;
}

/** A parameter from its source of highest priority. */
export interface MergedParameter {
  sent: unknown;
  source: 'json' | 'form' | 'query' | 'path';
  /** Value captured from the path, which another source may override. */
  captured?: string | undefined;
}

/** Merges parameters: the body overrides the query, which overrides the path. */
export function mergeParameters(
  request: Pick<RestRequest, 'json' | 'form' | 'query'>,
  captured: Readonly<Record<string, string>>,
): Map<string, MergedParameter> {
  const merged = new Map<string, MergedParameter>();
  const sources = { json: request.json, form: request.form, query: request.query, path: captured };
  for (const source of ['json', 'form', 'query', 'path'] as const) {
    for (const [name, sent] of Object.entries(sources[source] ?? {})) {
      if (!merged.has(name)) merged.set(name, { sent, source, captured: captured[name] });
    }
  }
  return merged;
}

export interface HttpSource {
  request: Request;
  incoming?: HttpBindings['incoming'] | undefined;
}

/** Temporary bytes on disk. */
export interface ScratchFile {
  readonly bytes: number;
  write(chunk: Uint8Array): Promise<void>;
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

/** A file of a form with the name given by the client. */
export interface UploadedFile extends ScratchFile {
  name: string;
}

/**
 * Reads an HTTP request below the REST root. The method may be overridden by `_method` or a header.
 *
 * @param path undecoded path below the REST root
 */
export function readRequest(http: HttpSource, { search }: URL, path: string): RestRequest {
  const query = parseQuery(search.slice(1));
  delete query['rest_route'];
  const { headers, method } = http.request;
  const override = query['_method'] ?? headers.get('x-http-method-override') ?? method;
  return { method: String(override).toUpperCase(), path: decodePath(path.replace(/^\//, '')), query, http };
}

/** Decodes a path without its final slash. Malformed paths are returned as they are. */
export function decodePath(path: string): string {
  return decodePercent(path.replace(/\/$/, ''));
}

/** Parameters by name: texts, and lists and maps in bracket notation. */
export type RawParameters = Record<string, unknown>;

/**
 * Parses `a=1&b[]=2&c[terms]=3`. A name without value is an empty text; the last duplicate wins.
 *
 * @throws RestError 413 for too many parameters, which are counted before parsing
 */
export function parseQuery(text: string): RawParameters {
  if (text === '') return {};
  let fields = 0;
  for (let at = 0; at >= 0 && fields <= MAX_PARAMETERS; at = text.indexOf('&', at + 1)) fields += 1;
  if (fields > MAX_PARAMETERS) throw createTooManyFieldsError();
  return qs.parse(text, { ...QUERY_OPTIONS, decoder: (part, decode) => removeUnstorable(decode(decodePlus(part))) });
}

/** Parses form fields like {@link parseQuery}. Encoding and decoding megabytes of values would take half a second. */
export function parseFields(fields: readonly (readonly [name: string, value: string])[]): RawParameters {
  const text = fields.map(([name], index) => `${encodeURIComponent(name)}=${index}`).join('&');
  return qs.parse(text, {
    ...QUERY_OPTIONS,
    decoder: (part, decode, _, type) =>
      removeUnstorable(type === 'value' ? (fields[Number(part)]?.[1] ?? '') : decode(part)),
  });
}

const QUERY_OPTIONS = {
  duplicates: 'last',
  depth: MAX_DEPTH,
  arrayLimit: MAX_PARAMETERS,
  parameterLimit: MAX_PARAMETERS,
} as const;

export function createTooManyFieldsError(): RestError {
  return createCommonError('rest_body_too_large', `The request has more than ${MAX_PARAMETERS} fields.`);
}

/** Replaces `+` by spaces. With millions of them, a regular expression takes half a second. */
function decodePlus(part: string): string {
  if (part.length < 1000) return part.replaceAll('+', ' ');
  const bytes = Buffer.from(part);
  for (let at = bytes.indexOf(PLUS); at >= 0 && at < bytes.length; at += 1) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return bytes.toString();
}

/**
 * Validates the JSONP callback name: word characters and dots. Returns undefined for the empty text.
 *
 * @param isServed true if JSONP is enabled
 * @throws RestError `rest_callback_disabled`, `rest_callback_invalid`
 */
export function parseCallback(sent: string, isServed: boolean): string | undefined {
  if (!isServed) throw createCommonError('rest_callback_disabled', 'JSONP is not supported.');
  if (/[^\w.]/.test(sent)) throw createCommonError('rest_callback_invalid', 'Invalid JSONP callback function.');
  return sent || undefined;
}

/** Removes what the store can't represent in a text: NUL characters and lone surrogates. */
export function removeUnstorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Applies {@link removeUnstorable} to all texts and names of a JSON value. */
export function dropUnstorable(value: unknown): unknown {
  if (typeof value === 'string') return removeUnstorable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(dropUnstorable);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [removeUnstorable(name), dropUnstorable(member)]),
  );
}

/** Maximum length of `_fields`, ten times the names of the largest resource. */
const MAX_FIELDS_LENGTH = 10_000;

/** Selected names of one level, each with the selected names within it. An empty map selects everything. */
type FieldTree = Map<string, FieldTree>;

/** Selection of fields: everything, or a list of dotted names. */
export interface FieldSelection {
  /** Undefined if everything is selected. */
  tree?: FieldTree;
  /** True if the field or part of it is selected. */
  wants: (name: string) => boolean;
  /** True if the complete field is selected. */
  wantsWhole: (name: string) => boolean;
}

export const ALL_FIELDS: FieldSelection = { wants: () => true, wantsWhole: () => true };

/**
 * Reads `_fields`: `id,title.rendered`, or a list of names.
 *
 * @throws RestError 400 if it is too long, as parsing it would take long
 */
export function readFields({ json, form, query }: RestRequest): FieldSelection {
  const sent: unknown = json?.['_fields'] ?? form?.['_fields'] ?? query['_fields'];
  if (sent === undefined) return ALL_FIELDS;
  const text = [sent]
    .flat()
    .filter((part) => typeof part === 'string')
    .join();
  if (text.length >= MAX_FIELDS_LENGTH) {
    const problem = `_fields has more than ${MAX_FIELDS_LENGTH} characters. Leave it out to get all fields.`;
    throw invalidParameters([{ name: '_fields', text: problem }]);
  }
  const names = new Set(text.split(/[\s,]+/).filter((name) => name !== ''));
  return names.size === 0 ? ALL_FIELDS : selectionOf(names);
}

/** Names within a completely selected field are ignored. */
function selectionOf(names: ReadonlySet<string>): FieldSelection {
  const tree: FieldTree = new Map();
  const whole = new Set<FieldTree>();
  for (const name of names) {
    let branch = tree;
    for (const part of name.split('.')) {
      const next: FieldTree = branch.get(part) ?? new Map();
      branch.set(part, next);
      branch = next;
    }
    whole.add(branch);
  }
  for (const branch of whole) branch.clear();
  const find = (name: string) => name.split('.').reduce<FieldTree | undefined>((at, part) => at?.get(part), tree);
  return {
    tree,
    wants: (name) => names.has(name) || find(name) !== undefined,
    wantsWhole: (name) => names.has(name),
  };
}

/** Selects the fields of a body, or of each row of a list. An empty row becomes `[]`. */
export function selectFields(body: unknown, tree: FieldTree): unknown {
  return Array.isArray(body) ? body.map((row) => selectWithin(row, tree)) : selectWithin(body, tree);
}

/** Values without members are returned as they are. An empty map becomes a list. */
function selectWithin(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  const selected: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(value)) {
    const subtree = tree.get(name);
    if (subtree) selected[name] = subtree.size === 0 ? child : selectWithin(child, subtree);
  }
  return Object.keys(selected).length === 0 ? [] : selected;
}
