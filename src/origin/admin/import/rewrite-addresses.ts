import { basename, dirname } from 'node:path/posix';
import { and, eq, inArray } from 'drizzle-orm';
import { uploadPath } from '#origin/platform/media/media-files.ts';
import { replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, imported } from '#origin/platform/store/schema.ts';
import { type ImportJob, findImported } from './tracked-record.ts';

/** Class name that links an image in a text to its media item. */
const CLASS = /\bwp-image-(\d+)\b/g;

/** Opening comment of a block that references media by ID, including its attributes. */
const BLOCK = /<!-- wp:(?:image|cover|gallery|file|audio|video|media-text) \{[^<>\n]*\} \/?-->/g;

const IN_BLOCK = /"(id|mediaId)":(\d+)/g;

const LIST_IN_BLOCK = /"ids":\[([\d,\s]*)\]/g;

interface LocalFile {
  file: string;
  sizes: { file: string; width: number }[];
}

/** Suffixes of derived files: `-300x200`, `-scaled`. */
const DERIVED = /-(?:(\d+)x\d+|scaled|rotated|e\d{13})(?=\.[^.]+$)/;

/**
 * Replaces the source's addresses and file addresses in texts with local ones. Files that were not imported keep their
 * address.
 */
export async function rewriteAddresses<const T extends Record<string, string>>(
  tx: Transaction,
  job: ImportJob,
  texts: T,
): Promise<{ [K in keyof T]: string }> {
  const found = new Set(Object.values(texts).flatMap((text) => findUploads(text, job)));
  const files = await findLocalFiles(tx, job, [...found].map(pathOf(job)));
  const replacements = new Map<string, string>();
  for (const address of found) {
    const file = chooseFile(files, pathOf(job)(address));
    // Hidden from the second step, which would rewrite addresses of missing files.
    replacements.set(address, file === undefined ? hide(address) : `${job.home}/uploads/${file}`);
  }
  const rewritten: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    const withFiles = text.replaceAll(uploadPattern(job), (address) => replacements.get(address) ?? address);
    const moved = job.source.addresses.reduce((moving, from) => replaceSiteUrl(moving, from, job.home), withFiles);
    rewritten[name] = await replaceIds(tx, job, unhide(moved));
  }
  return rewritten as { [K in keyof T]: string };
}

const HIDDEN = '\uE000';
const hide = (address: string): string => address.replace('://', `:${HIDDEN}//`);
const unhide = (text: string): string => text.replaceAll(`:${HIDDEN}//`, '://');

function uploadPattern({ source }: ImportJob): RegExp {
  const sites = source.addresses.map((address) => address.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?:${sites.join('|')})\/(?:wp-content\/)?uploads\/[^\s"'<>()\\?#,]+`, 'g');
}

function findUploads(text: string, job: ImportJob): string[] {
  return job.source.addresses.some((address) => text.includes(address)) ? (text.match(uploadPattern(job)) ?? []) : [];
}

function pathOf({ source }: ImportJob) {
  return (address: string): string => {
    const site = source.addresses.find((from) => address.startsWith(`${from}/`));
    return (site === undefined ? undefined : uploadPath(address, site)) ?? '';
  };
}

/** Loads the originals that files may derive from, by their path at the source. */
async function findLocalFiles(
  tx: Transaction,
  { source }: ImportJob,
  paths: readonly string[],
): Promise<Map<string, LocalFile>> {
  const wanted = [...new Set(paths.flatMap((path) => [path, path.replace(DERIVED, '')]))].filter((path) => path !== '');
  if (wanted.length === 0) return new Map();
  const rows = await tx
    .select({ path: imported.path, file: content.file, details: content.mediaDetails })
    .from(imported)
    .innerJoin(content, eq(content.id, imported.ownId))
    .where(and(eq(imported.source, source.site), eq(imported.kind, 'media'), inArray(imported.path, wanted)));
  return new Map(
    rows.map(({ path, file, details }) => {
      const sizes = Object.values((details['sizes'] ?? {}) as Record<string, LocalFile['sizes'][number]>);
      return [path, { file, sizes }];
    }),
  );
}

/** Chooses the file itself, the size of the same width, or the next wider one. */
function chooseFile(files: ReadonlyMap<string, LocalFile>, path: string): string | undefined {
  const whole = files.get(path);
  if (whole) return whole.file;
  const original = files.get(path.replace(DERIVED, ''));
  if (!original) return undefined;
  const width = Number(DERIVED.exec(path)?.[1] ?? Infinity);
  const suffix = DERIVED.exec(basename(path))?.[0] ?? '';
  const fitting = original.sizes.filter((size) => size.width >= width).toSorted((a, b) => a.width - b.width);
  const size = fitting.find(({ file }) => file.includes(`${suffix}.`)) ?? fitting[0];
  return size ? `${dirname(original.file)}/${size.file}` : original.file;
}

/** Replaces media IDs in a text with local ones. Unknown IDs stay. */
async function replaceIds(tx: Transaction, { source }: ImportJob, text: string): Promise<string> {
  const referenced = [
    ...[...text.matchAll(CLASS)].map(([, id]) => id),
    ...[...text.matchAll(BLOCK)].flatMap(([block]) => block.match(/\d+/g) ?? []),
  ].map(Number);
  const wanted = referenced.filter((id) => Number.isSafeInteger(id) && id > 0);
  const rows = await findImported(tx, source.site, 'media', wanted);
  const localIds = new Map(rows.filter((row) => row.ownId !== row.sourceId).map((row) => [row.sourceId, row.ownId]));
  if (localIds.size === 0) return text;
  const replaceId = (id: string) => String(localIds.get(Number(id)) ?? id);
  return text
    .replaceAll(CLASS, (_, id: string) => `wp-image-${replaceId(id)}`)
    .replaceAll(BLOCK, (block) =>
      block
        .replaceAll(IN_BLOCK, (_, name: string, id: string) => `"${name}":${replaceId(id)}`)
        .replaceAll(LIST_IN_BLOCK, (_, ids: string) => `"ids":[${ids.replaceAll(/\d+/g, replaceId)}]`),
    );
}
