import type { z } from 'zod';
import type { Context, postAutosave } from '#contracts/core/index.ts';
import type { AnyCall, Shown } from '#origin/platform/http/transport/index.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { presentTexts, type LaterMakers } from '#origin/platform/http/present-fields.ts';
import { texturise } from '#origin/platform/render/index.ts';
import { relocate, toUtc, type Site } from '#origin/platform/site/index.ts';
import type { RevisionKind } from './revision-kind.ts';

export type ShownRevision = Shown<z.input<RevisionKind['routes']['getAutosave']['response']>>;

export interface RevisionView {
  call: AnyCall;
  kind: RevisionKind;
  context: Context;
  site: Site;
  /** Where an autosave can be looked at. */
  previewLink?: string;
}

/** A revision or an autosave as the wire shows it. A draft that was saved in place is shown the same way. */
export async function presentRevision(row: ContentRow, view: RevisionView): Promise<ShownRevision> {
  const { call, kind, site } = view;
  const here = (text: string) => relocate(text, site.url, call.addresses.site);
  const withRaw = (raw: string, rendered: string) => (view.context === 'edit' ? { raw, rendered } : { rendered });
  const guid = `${call.addresses.site}/?p=${row.id}`;
  const excerpt = here(row.excerpt);
  const content = here(row.content);
  const makers = {
    author: () => row.authorId,
    date: () => wireTime(row.date),
    date_gmt: () => wireTime(row.dateGmt ?? toUtc(row.date, site.timezone)),
    id: () => row.id,
    modified: () => wireTime(row.modified),
    modified_gmt: () => wireTime(row.modifiedGmt),
    parent: () => row.parentId,
    slug: () => row.slug,
    guid: () => withRaw(guid, guid),
    title: () => withRaw(row.title, texturise(row.title)),
    content: async () => withRaw(content, await runAside('content', content)),
    // Only an excerpt that somebody wrote.
    excerpt: async () => withRaw(excerpt, excerpt.trim() === '' ? '' : await runAside('paragraphs', excerpt)),
    meta: () => Object.fromEntries(kind.metaKeys.map((key) => [key, row.meta[key] ?? ''])),
    preview_link: () => view.previewLink,
    _links: () =>
      row.parentId === 0 ? undefined : { parent: [{ href: call.addresses.rest(`${kind.base}/${row.parentId}`) }] },
    // Of these fields each kind has some.
  } satisfies LaterMakers<z.input<typeof postAutosave>>;
  const shown = await presentTexts(kind.routes.getAutosave.response, makers, view);
  const links = call.fields.wants('parent') ? makers._links() : undefined;
  return links ? { ...shown, _links: links } : shown;
}

function wireTime(stored: string): string {
  return stored.slice(0, 19).replace(' ', 'T');
}
