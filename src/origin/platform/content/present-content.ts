import type { z } from 'zod';
import { post, POST_META_KEYS, page, PAGE_META_KEYS } from '#contracts/core/post.ts';
import { navigationMenu } from '#contracts/core/navigation-menu.ts';
import { presentTexts } from '#origin/platform/http/present-fields.ts';
import type { SelectedFields } from '#origin/platform/http/transport/call.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { hasBlocks } from '#origin/platform/render/render-blocks.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import { toUtc } from '#contracts/site-clock.ts';
import { type ContentView, createRowLinks } from './content-view.ts';
import { getContentUrl, getUrlTemplate } from './content-url.ts';
import { normaliseSlug } from './slugs.ts';

export function presentPost(row: ContentRow, view: ContentView): Promise<SelectedFields<z.input<typeof post>>> {
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
      // Exists on servers with such fields only.
      custom_fields_html: () => undefined,
    },
    view,
  );
}

export function presentPage(row: ContentRow, view: ContentView): Promise<SelectedFields<z.input<typeof page>>> {
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

export function presentNavigationMenu(
  row: ContentRow,
  view: ContentView,
): Promise<SelectedFields<z.input<typeof navigationMenu>>> {
  return presentTexts(navigationMenu, commonFields(row, view), view);
}

/** Functions for the fields that all content kinds share. */
export function commonFields(row: ContentRow, view: ContentView) {
  const { call, site } = view;
  const isEdit = view.context === 'edit';
  const relocated = (text: string) => replaceSiteUrl(text, site.url, call.addresses.site);
  const isProtected = row.password !== '';
  const isUnlocked = !isProtected || view.password === row.password;
  const isOpen = isUnlocked || isEdit;
  // Editors continue with a menu from where it is embedded.
  const hasRaw = isEdit || (view.context === 'embed' && !view.kind.hasPage && isUnlocked);
  const withRaw = (raw: string, rendered: string) => (hasRaw ? { raw, rendered } : { rendered });
  const content = relocated(row.content);
  const excerpt = relocated(row.excerpt);
  return {
    id: () => row.id,
    date: () => wireTime(row.date),
    date_gmt: () => wireTime(row.dateGmt ?? toUtc(row.date, site.timezone)),
    guid: () => {
      const guid = relocated(row.guid);
      return withRaw(guid, guid);
    },
    modified: () => wireTime(row.modified),
    modified_gmt: () => wireTime(row.modifiedGmt),
    password: () => row.password,
    slug: () => row.slug,
    status: () => row.status,
    type: () => row.type,
    link: () => getContentUrl(row, { site: call.addresses.site, kinds: call.context.kinds }, view.ancestors),
    title: () => withRaw(row.title, texturise(row.title)),
    content: async () => ({
      ...withRaw(content, isOpen ? await runTextJob('content', content, view.embeds) : ''),
      protected: isProtected,
      ...(hasRaw ? { block_version: hasBlocks(row.content) ? 1 : 0 } : {}),
    }),
    excerpt: async () => ({
      ...withRaw(excerpt, isOpen ? await runTextJob('excerpt', excerpt, content, view.excerptLength, view.embeds) : ''),
      protected: isProtected,
    }),
    author: () => row.authorId,
    featured_media: () => row.featuredMedia,
    comment_status: () => openOrClosed(row.commentStatus),
    ping_status: () => openOrClosed(row.pingStatus),
    template: () => row.template,
    permalink_template: () =>
      getUrlTemplate(row, { site: call.addresses.site, kinds: call.context.kinds }, view.ancestors),
    generated_slug: () => readableSlug(normaliseSlug(row.title)),
    class_list: () => classNames(row, view),
    _links: () => createRowLinks(row, view),
  };
}

function openOrClosed(stored: string): 'open' | 'closed' {
  return stored === 'open' ? 'open' : 'closed';
}

/** Decodes the octets of a slug. Slugs are never cut inside a character. */
function readableSlug(slug: string): string {
  return decodeURIComponent(slug);
}

/** Converts a stored time into `2026-11-21T10:00:00`. */
export function wireTime(stored: string): string {
  return stored.slice(0, 19).replace(' ', 'T');
}

/** Returns the class names for themes, the same for every reader. */
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
