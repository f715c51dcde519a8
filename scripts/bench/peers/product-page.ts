import { escapeHtml as esc } from './escape-html.ts';
import { productBody } from './product-body.ts';
import type { PageChrome, ProductFacts } from './product-facts.ts';

/** A whole page: the body of ours, and a head with as much in it, but for the policy that Astro calculates. */
export function productPage(pageChrome: PageChrome, product: ProductFacts): string {
  const { name, description, url, alternates, locales, preview, nodes } = product;
  return `<!DOCTYPE html><html lang="${pageChrome.lang}" dir="${pageChrome.dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${esc(name)} · ${esc(pageChrome.site)}</title><meta name="description" content="${esc(description)}"><meta name="robots" content="${product.robots}"><link rel="canonical" href="${url}">${alternates
    .map((alternate) => `<link rel="alternate" hreflang="${alternate.lang}" href="${alternate.url}">`)
    .join(
      '',
    )}<link rel="preload" href="/site.woff2" as="font" type="font/woff2" crossorigin><link rel="icon" href="/favicon.svg" type="image/svg+xml"><meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)"><meta name="theme-color" content="#121417" media="(prefers-color-scheme: dark)"><meta property="og:title" content="${esc(name)}"><meta property="og:description" content="${esc(description)}"><meta property="og:type" content="product"><meta property="og:url" content="${url}"><meta property="og:site_name" content="${esc(pageChrome.site)}"><meta property="og:locale" content="${pageChrome.locale}">${locales
    .map((locale) => `<meta property="og:locale:alternate" content="${locale}">`)
    .join(
      '',
    )}<meta property="og:image" content="${preview.url}"><meta property="og:image:width" content="${preview.width}"><meta property="og:image:height" content="${preview.height}"><meta property="og:image:alt" content="${esc(pageChrome.site)}"><meta name="twitter:card" content="summary_large_image"><link rel="alternate" type="application/feed+json" title="${esc(pageChrome.site)}: changes" href="/changes.json"><link rel="alternate" type="application/rss+xml" title="${esc(pageChrome.site)}: changes" href="/changes.xml"><link rel="alternate" type="text/markdown" href="${product.markdown}">${nodes
    .map((node) => `<script type="application/ld+json">${node}</script>`)
    .join('')}<link rel="stylesheet" href="/site.css"></head>${productBody(pageChrome, product)}</html>`;
}
