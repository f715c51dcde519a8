import type { HttpSource } from './bounded-body.ts';
import type { ScratchFile } from './scratch-file.ts';
import { FieldSelection } from './field-selection.ts';
import type { RestError } from './rest-error.ts';
import type { SentParameters } from './parse-query.ts';

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
      if (!merged.has(name)) merged.set(name, { sent, source });
    }
  }
  return merged;
}

/** What the request wants to see of each row. */
export function fieldsOf(request: RestRequest): FieldSelection {
  return FieldSelection.read(request.json?.['_fields'] ?? request.form?.['_fields'] ?? request.query['_fields']);
}

/** A file of a form, as its client named it. */
export interface SentFile extends ScratchFile {
  name: string;
}

/** Where a parameter came from, the stronger source first. */
export const PARAMETER_SOURCES = ['json', 'form', 'query', 'path'] as const;

export type ParameterSource = (typeof PARAMETER_SOURCES)[number];
