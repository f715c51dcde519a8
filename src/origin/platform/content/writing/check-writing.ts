import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import type { CheckContext, ParameterCheck, AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RestError } from '#origin/platform/http/transport/rest-error.ts';
import { formatList } from '#origin/platform/http/transport/parse-parameters.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { findRow } from '../read-content.ts';

/** Meta key with HTML inside JSON, filtered by `filterInput`. */
const FOOTNOTES = 'footnotes';

/** Checks that depend on the site or the stored row. Sending the stored value is always valid. */
export function writingChecks(kind: ContentKind): Readonly<Record<string, ParameterCheck>> {
  return {
    status: async (raw, scope) => {
      const row = await loadStoredRow(kind, scope);
      return row && raw === row.status ? { accepted: raw } : undefined;
    },
    template: async (raw, scope) => {
      if (typeof raw !== 'string' || raw === '' || kind.templates.includes(raw)) return undefined;
      if (raw === (await loadStoredRow(kind, scope))?.template) return undefined;
      return { code: 'rest_invalid_param', text: `template is not one of ${formatList(kind.templates)}.` };
    },
  };
}

async function loadStoredRow(kind: ContentKind, scope: CheckContext): Promise<ContentRow | undefined> {
  const id = Number(scope.sent('id'));
  return Number.isSafeInteger(id) ? findRow(scope, kind, id) : undefined;
}

interface Texts {
  title?: string | undefined;
  content?: string | undefined;
  excerpt?: string | undefined;
  meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Filters texts by the rights of the caller. Call it before a transaction, as long texts take time. */
export async function filterInput<T extends Texts>(input: T, caller: Caller): Promise<T> {
  if (can(caller, 'unfiltered_html')) return input;
  const { title, content, excerpt, meta } = input;
  const footnotes = meta?.[FOOTNOTES];
  return {
    ...input,
    ...(title === undefined ? {} : { title: await runTextJob('filterInline', title) }),
    ...(content === undefined ? {} : { content: await runTextJob('filter', content) }),
    ...(excerpt === undefined ? {} : { excerpt: await runTextJob('filter', excerpt) }),
    ...(typeof footnotes === 'string'
      ? { meta: { ...meta, [FOOTNOTES]: await runTextJob('footnotes', footnotes) } }
      : {}),
  };
}

/** Creates the error for a `meta` value that is no text. Clients expect it after everything else is written. */
export function wrongMetaError(key: string, { refuse }: AnyCall<'rest_invalid_type'>): RestError {
  const param = `meta.${key}`;
  return refuse('rest_invalid_type', `${param} is not of type string.`, { additionalData: [{ param }] });
}

type Meta = Readonly<Record<string, string>>;

interface MergedMeta {
  meta: Meta;
  /** The first key with a value that is no text. Merging stops there. */
  wrongKey?: string;
}

/** Merges meta values of known keys. Null deletes a value; missing keys are preserved. */
export function mergeMeta(
  keys: readonly string[],
  before: Meta,
  changes: Readonly<Record<string, unknown>>,
): MergedMeta {
  const meta: Record<string, string> = { ...before };
  for (const key of keys) {
    const value = changes[key];
    if (value === undefined) continue;
    if (value === null) delete meta[key];
    else if (typeof value !== 'string') return { meta, wrongKey: key };
    else meta[key] = key === FOOTNOTES ? value : plainText(value);
  }
  return { meta };
}
