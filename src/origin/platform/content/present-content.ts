import type { z } from 'zod';
import { post, POST_META_KEYS, page, PAGE_META_KEYS, navigationMenu } from '#contracts/core/index.ts';
import { presentTexts } from '#origin/platform/http/present-fields.ts';
import type { Shown } from '#origin/platform/http/transport/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { hasBlocks, texturise } from '#origin/platform/render/index.ts';
import { relocate, toUtc } from '#origin/platform/site/index.ts';
import type { ContentView } from './content-view.ts';
import { linkContent, linkTemplate } from './link-content.ts';
import { linkRow } from './link-row.ts';
import { normaliseSlug } from './slugs.ts';

/** A post as the wire shows it. */
export function presentPost(row: ContentRow, view: ContentView): Promise<Shown<z.input<typeof post>>> {
  const termIds = (taxonomy: string) =>
    (view.terms.get(row.id) ?? []).filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
  return presentTexts(
    post,
    {
      ...commonFields(row, view),
      sticky: () => row.sticky,
      format: () => (row.format === '' ? 'standard' : row.format),
      meta: () => Object.fromEntries(POST_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
      categories: () => termIds('category'),
      tags: () => termIds('post_tag'),
      // Of servers with such fields; this one keeps none.
      custom_fields_html: () => undefined,
    },
    view,
  );
}

/** A page as the wire shows it. */
export function presentPage(row: ContentRow, view: ContentView): Promise<Shown<z.input<typeof page>>> {
  return presentTexts(
    page,
    {
      ...commonFields(row, view),
      parent: () => row.parentId,
      menu_order: () => row.menuOrder,
      meta: () => Object.fromEntries(PAGE_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
      level: () => view.levels?.get(row.id),
    },
    view,
  );
}

/** A navigation menu as the wire shows it. */
export function presentNavigationMenu(
  row: ContentRow,
  view: ContentView,
): Promise<Shown<z.input<typeof navigationMenu>>> {
  return presentTexts(navigationMenu, commonFields(row, view), view);
}

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
    guid: () => {
      const guid = here(row.guid);
      return withRaw(guid, guid);
    },
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

/** The class names that themes and clients style a row's element by: the same for every reader. */
function classNames(row: ContentRow, view: ContentView): string[] {
  const format = row.format === '' ? 'standard' : row.format;
  const terms = view.terms.get(row.id) ?? [];
  const { hasFormats, isFile } = view.kind;
  return [
    `post-${row.id}`,
    row.type,
    `type-${row.type}`,
    `status-${row.status}`,
    ...(hasFormats ? [`format-${format}`] : []),
    ...(row.password !== '' ? ['post-password-required'] : []),
    ...(row.featuredMedia !== 0 && !isFile ? ['has-post-thumbnail'] : []),
    'hentry',
    ...view.kind.terms.flatMap(({ taxonomy, slugBase }) =>
      terms.filter((term) => term.taxonomy === taxonomy).map(({ slug }) => `${slugBase}-${slug}`),
    ),
    ...(hasFormats && format !== 'standard' ? [`post_format-post-format-${format}`] : []),
  ];
}
