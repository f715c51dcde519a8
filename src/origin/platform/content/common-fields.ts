import { runAside } from '#origin/platform/render/aside/index.ts';
import { normaliseSlug } from './normalise-slug.ts';
import { hasBlocks, texturise } from '#origin/platform/render/index.ts';
import { relocate, toUtc } from '#origin/platform/site/index.ts';
import { classNames } from './class-names.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ContentView } from './content-view.ts';
import { linkContent, linkTemplate } from './link-content.ts';
import { linkRow } from './link-row.ts';

/** Makers of the fields that the kinds of content share. */
export function commonFields(row: ContentRow, view: ContentView) {
  const { call, site } = view;
  const isEdit = view.context === 'edit';
  const here = (text: string) => relocate(text, site.url, call.addresses.site);
  const isProtected = row.password !== '';
  const isUnlocked = !isProtected || view.password === row.password;
  const isOpen = isUnlocked || isEdit;
  // Editors go on from where a menu is embedded.
  const showsRaw = isEdit || (view.context === 'embed' && !view.kind.hasPage && isUnlocked);
  const withRaw = (raw: string, rendered: string) => (showsRaw ? { raw, rendered } : { rendered });
  const content = here(row.content);
  const excerpt = here(row.excerpt);
  return {
    id: () => row.id,
    date: () => wireTime(row.date),
    date_gmt: () => wireTime(row.dateGmt ?? toUtc(row.date, site.timezone)),
    guid: () => withRaw(here(row.guid), here(row.guid)),
    modified: () => wireTime(row.modified),
    modified_gmt: () => wireTime(row.modifiedGmt),
    password: () => row.password,
    slug: () => row.slug,
    status: () => row.status,
    type: () => row.type,
    link: () => linkContent(row, { site: call.addresses.site, kinds: call.context.kinds }, view.ancestors),
    title: () => withRaw(row.title, texturise(row.title)),
    content: async () => ({
      ...withRaw(content, isOpen ? await runAside('content', content, view.embeds) : ''),
      protected: isProtected,
      ...(showsRaw ? { block_version: hasBlocks(row.content) ? 1 : 0 } : {}),
    }),
    excerpt: async () => ({
      ...withRaw(excerpt, isOpen ? await runAside('excerpt', excerpt, content, view.excerptLength, view.embeds) : ''),
      protected: isProtected,
    }),
    author: () => row.authorId,
    featured_media: () => row.featuredMedia,
    comment_status: () => openOrClosed(row.commentStatus),
    ping_status: () => openOrClosed(row.pingStatus),
    template: () => row.template,
    permalink_template: () =>
      linkTemplate(row, { site: call.addresses.site, kinds: call.context.kinds }, view.ancestors),
    generated_slug: () => readableSlug(normaliseSlug(row.title)),
    class_list: () => classNames(row, view),
    _links: () => linkRow(row, view),
  };
}

function openOrClosed(stored: string): 'open' | 'closed' {
  return stored === 'open' ? 'open' : 'closed';
}

/** With the letters its octets stand for; a slug is never cut inside one. */
function readableSlug(slug: string): string {
  return decodeURIComponent(slug);
}

/** `2026-11-21T10:00:00`, from the store's form. */
function wireTime(stored: string): string {
  return stored.slice(0, 19).replace(' ', 'T');
}
