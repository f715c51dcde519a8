import type { RowOf } from '#client/index.ts';
import {
  listCategories,
  listMedia,
  listPages,
  listPosts,
  listTags,
  listUsers,
  type Category,
  type Media,
  type Tag,
  type User,
} from '#contracts/core/index.ts';
import { cleanTexts, type RouteDeclaration } from '#contracts/index.ts';
import type { AssetReference, AuthorRecord, MediaRecord, RecordKinds, TermRecord } from '#snapshot/index.ts';
import { findAssets } from './find-assets.ts';
import { plainText } from './plain-text.ts';
import { baseOf, projectPage, projectPost, toUtc } from './project-writing.ts';
import { sanitiseHtml } from './sanitise-html.ts';

export type PublishedKind = 'media' | 'category' | 'tag' | 'author' | 'post' | 'page';

/** One kind of record of the publishing site: where it is read and what the snapshot keeps of it. */
export interface PublishingKind {
  kind: PublishedKind;
  list: RouteDeclaration;
  /** Sites may keep this list to themselves. */
  optional: boolean;
  /** Whether its rows say when they last changed. */
  dated: boolean;
  /** @param row As the list's or the item's contract reads it. @returns Undefined when it isn't for everybody. */
  project(
    row: unknown,
    isMediaHost?: (url: URL) => boolean,
  ): { record: RecordKinds[PublishedKind]; references: AssetReference[] } | undefined;
}

/** In the order of reading: what others refer to comes first. */
export const PUBLISHING_KINDS: readonly PublishingKind[] = [
  kind({ kind: 'media', list: listMedia, project: projectMedia, references: ownImage }),
  kind({ kind: 'category', list: listCategories, project: projectTerm }),
  kind({ kind: 'tag', list: listTags, project: projectTerm }),
  kind({ kind: 'author', list: listUsers, project: projectAuthor, optional: true }),
  kind({ kind: 'post', list: listPosts, project: projectPost, references: assetsInside }),
  kind({ kind: 'page', list: listPages, project: projectPage, references: assetsInside }),
];

function kind<K extends PublishedKind, L extends RouteDeclaration>(definition: {
  kind: K;
  list: L;
  project: (row: RowOf<L>) => RecordKinds[K] | undefined;
  references?: (record: RecordKinds[K], isMediaHost: (url: URL) => boolean) => AssetReference[];
  optional?: boolean;
}): PublishingKind {
  const { project, references = () => [], optional = false, ...rest } = definition;
  return {
    ...rest,
    optional,
    dated: ['media', 'post', 'page'].includes(rest.kind),
    project: (row, isMediaHost = () => false) => {
      const record = cleanTexts(project(row as RowOf<L>));
      return record && { record, references: references(record, isMediaHost) };
    },
  };
}

function projectMedia(row: Media): MediaRecord | undefined {
  // A file takes the status of what it is attached to; one that stands alone is published.
  if (!['inherit', 'publish'].includes(row.status)) return undefined;
  return {
    id: row.id,
    slug: row.slug,
    title: plainText(row.title.rendered),
    url: row.source_url,
    mimeType: row.mime_type,
    alt: row.alt_text,
    // It stands on the page of a post, whose ids have the usual prefix.
    caption: sanitiseHtml(row.caption.rendered, { base: baseOf(row.link), idPrefix: 'user-caption-' }).trim(),
    modified: toUtc(row.modified_gmt),
  };
}

function projectTerm(row: Category | Tag): TermRecord {
  return {
    id: row.id,
    taxonomy: row.taxonomy === 'category' ? 'category' : 'tag',
    slug: row.slug,
    name: plainText(row.name),
    description: plainText(row.description ?? ''),
    parent: ('parent' in row && row.parent) || undefined,
  };
}

function projectAuthor({ id, slug, name, description, url }: User): AuthorRecord {
  return { id, slug, name: plainText(name), description: plainText(description), url };
}

function ownImage({ url, mimeType }: MediaRecord): AssetReference[] {
  return mimeType.startsWith('image/') ? [{ address: url, kind: 'image' }] : [];
}

function assetsInside({ html }: { html: string }, isMediaHost: (url: URL) => boolean): AssetReference[] {
  return findAssets(html, isMediaHost);
}
