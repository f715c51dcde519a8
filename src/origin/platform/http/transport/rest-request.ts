import type { HttpBindings } from '@hono/node-server';
import qs from 'qs';
import { createTooManyFieldsError, type HttpSource } from './bounded-body.ts';
import { invalidParameters, type RestError, createCommonError } from './rest-error.ts';
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
  source: ParameterSource;
  /** Value captured from the path, which another source may override. */
  captured?: string | undefined;
}

/** Merges parameters: the body overrides the query, which overrides the path. */
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

/** Maximum length of `_fields`, ten times the names of the largest resource. */
const MAX_FIELDS_LENGTH = 10_000;

/** Returns the field selection; all fields if `_fields` is invalid. */
export function getFieldSelection(request: RestRequest): FieldSelection {
  const raw = rawFields(request);
  return isTooLong(raw) ? new FieldSelection() : FieldSelection.read(raw);
}

/** @throws RestError 400 if `_fields` is too long, as parsing it would take long */
export function checkFields(request: RestRequest): void {
  if (!isTooLong(rawFields(request))) return;
  const text = `_fields has more than ${MAX_FIELDS_LENGTH} characters. Leave it out to get all fields.`;
  throw invalidParameters([{ name: '_fields', text }]);
}

function rawFields({ json, form, query }: RestRequest): unknown {
  return json?.['_fields'] ?? form?.['_fields'] ?? query['_fields'];
}

function isTooLong(sent: unknown): boolean {
  const parts = Array.isArray(sent) ? sent : [sent];
  let letters = 0;
  for (const part of parts) if (typeof part === 'string') letters += part.length + 1;
  return letters > MAX_FIELDS_LENGTH;
}

/** A file of a form with the name given by the client. */
export interface UploadedFile extends ScratchFile {
  name: string;
}

/** Sources of parameters by priority. */
export const PARAMETER_SOURCES = ['json', 'form', 'query', 'path'] as const;

export type ParameterSource = (typeof PARAMETER_SOURCES)[number];

/**
 * Reads an HTTP request below the REST root. The method may be overridden by `_method` or a header.
 *
 * @param path undecoded path below the REST root
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

/** Parameters by name: texts, and lists and maps in bracket notation. */
export type RawParameters = Record<string, unknown>;

/**
 * Parses `a=1&b[]=2&c[terms]=3`. A name without value is an empty text; the last duplicate wins.
 *
 * @throws RestError 413 for too many parameters, which are counted before parsing
 */
export function parseQuery(text: string): RawParameters {
  if (hasMoreFields(text, MAX_PARAMETERS)) throw createTooManyFieldsError(MAX_PARAMETERS);
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

function hasMoreFields(text: string, maxFields: number): boolean {
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > maxFields) return true;
  }
  return false;
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
export function parseCallback(sent: string | null, isServed: boolean): string | undefined {
  if (sent === null) return undefined;
  if (!isServed) throw createCommonError('rest_callback_disabled', 'JSONP is not supported.');
  if (/[^\w.]/.test(sent)) throw createCommonError('rest_callback_invalid', 'Invalid JSONP callback function.');
  return sent || undefined;
}

/** Removes what the store can't represent in a text: NUL characters and lone surrogates. */
export function removeUnstorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Temporary bytes on disk. */
interface ScratchFile {
  readonly bytes: number;
  write(chunk: Uint8Array): Promise<void>;
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Creates an unlinked temporary file, which disappears when it is closed or the process ends. */
export async function createScratchFile(): Promise<ScratchFile> {
  const path = join(tmpdir(), `sortiment-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    async write(chunk) {
      await file.write(chunk, 0, chunk.byteLength, bytes);
      bytes += chunk.byteLength;
    },
    async read() {
      const all = Buffer.allocUnsafe(bytes);
      for (let at = 0; at < bytes;) {
        const { bytesRead } = await file.read(all, at, bytes - at, at);
        if (bytesRead === 0) throw new Error('The scratch file is shorter than the data written to it.');
        at += bytesRead;
      }
      return all;
    },
    close: () => file.close(),
  };
}

/** Selected names of one level, each with the selected names within it. An empty tree selects everything. */
interface FieldTree extends ReadonlyMap<string, FieldTree> {}

type Growing = Map<string, Growing>;

/** Selection of `_fields`: everything, or a list of dotted names. */
export class FieldSelection {
  /** Undefined if everything is selected. */
  readonly tree: FieldTree | undefined;
  readonly #names: ReadonlySet<string>;

  constructor(names: readonly string[] = []) {
    this.#names = new Set(names);
    this.tree = names.length > 0 ? growTree(this.#names) : undefined;
  }

  /** True if the field or part of it is selected. */
  wants(name: string): boolean {
    return this.tree === undefined || this.#names.has(name) || find(this.tree, name) !== undefined;
  }

  /** True if the complete field is selected. */
  wantsWhole(name: string): boolean {
    return this.tree === undefined || this.#names.has(name);
  }

  /** Parses `id,title.rendered` or a list of names. */
  static read(value: unknown): FieldSelection {
    const parts = Array.isArray(value) ? value : [value];
    const names = parts.flatMap((part) => (typeof part === 'string' ? part.split(/[\s,]+/) : []));
    return new FieldSelection(names.filter((name) => name !== ''));
  }
}

/** Names within a completely selected field are ignored. */
function growTree(names: Iterable<string>): FieldTree {
  const root: Growing = new Map();
  const whole = new Set<Growing>();
  for (const name of names) {
    let branch = root;
    for (const part of name.split('.')) {
      const next: Growing = branch.get(part) ?? new Map();
      branch.set(part, next);
      branch = next;
    }
    whole.add(branch);
  }
  for (const branch of whole) branch.clear();
  return root;
}

function find(tree: FieldTree, name: string): FieldTree | undefined {
  let branch: FieldTree | undefined = tree;
  for (const part of name.split('.')) branch = branch?.get(part);
  return branch;
}

/** Selects the fields of a body, or of each row of a list. An empty row becomes `[]`. */
export function selectFields(body: unknown, fields: FieldSelection): unknown {
  const { tree } = fields;
  if (tree === undefined) return body;
  if (Array.isArray(body)) return body.map((row) => selectFields(row, fields));
  if (!isMap(body)) return body;
  const selected = select(body, tree);
  return Object.keys(selected).length === 0 ? [] : selected;
}

function select(value: Record<string, unknown>, tree: FieldTree): Record<string, unknown> {
  const selected: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(value)) {
    const subtree = tree.get(name);
    if (subtree === undefined) continue;
    selected[name] = subtree.size === 0 ? child : selectWithin(child, subtree);
  }
  return selected;
}

/** Values without members are returned as they are. An empty map becomes a list. */
function selectWithin(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return [];
  if (!isMap(value)) return value;
  const selected = select(value, tree);
  return Object.keys(selected).length === 0 ? [] : selected;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
