import { robotsText } from '#contracts/seo/robots.ts';
import { VERIFICATION_KEYS, VERIFICATION_TAGS } from '#contracts/seo/site-options.ts';
import type { HeadJson } from '#contracts/seo/head.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';

/** Keys that are written as `property`. The first underscore becomes a colon. */
const PROPERTY_KEYS = [
  'og_locale',
  'og_type',
  'og_title',
  'og_description',
  'og_url',
  'og_site_name',
  'article_publisher',
  'article_author',
  'article_published_time',
  'article_modified_time',
] as const;
const TWITTER_KEYS = [
  'twitter_card',
  'twitter_title',
  'twitter_description',
  'twitter_image',
  'twitter_creator',
  'twitter_site',
] as const;
/** Renders a head as HTML, one tag per line, with all values escaped. */
export function headHtml(head: HeadJson): string {
  const lines: string[] = [];
  const meta = (attribute: 'name' | 'property', name: string, value: string | number | undefined) => {
    if (value !== undefined) lines.push(`<meta ${attribute}="${name}" content="${escapeHtml(String(value))}" />`);
  };
  const link = (rel: string, href: string | undefined) => {
    if (href !== undefined) lines.push(`<link rel="${rel}" href="${escapeHtml(href)}" />`);
  };
  if (head.title !== undefined) lines.push(`<title>${escapeHtml(head.title)}</title>`);
  meta('name', 'description', head.description);
  meta('name', 'robots', head.robots && robotsText(head.robots));
  link('canonical', head.canonical);
  link('prev', head.prev);
  link('next', head.next);
  for (const key of PROPERTY_KEYS) meta('property', propertyName(key), head[key]);
  for (const { url, width, height, type } of head.og_image ?? []) {
    meta('property', 'og:image', url);
    meta('property', 'og:image:width', width);
    meta('property', 'og:image:height', height);
    meta('property', 'og:image:type', type);
  }
  meta('name', 'author', head.author);
  for (const key of TWITTER_KEYS) meta('name', key.replace('_', ':'), head[key]);
  for (const [i, [label, value]] of Object.entries(head.twitter_misc ?? {}).entries()) {
    meta('name', `twitter:label${i + 1}`, label);
    meta('name', `twitter:data${i + 1}`, value);
  }
  if (head.schema) lines.push(`<script type="application/ld+json">${scriptJson(head.schema)}</script>`);
  for (const key of VERIFICATION_KEYS) meta('name', VERIFICATION_TAGS[key], head[key]);
  return lines.join('\n');
}

/** `og_site_name` is `og:site_name`, `article_published_time` is `article:published_time`. */
function propertyName(key: (typeof PROPERTY_KEYS)[number]): string {
  return key.replace('_', ':');
}

/** Serializes JSON for a script element: the value can't close the element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}
