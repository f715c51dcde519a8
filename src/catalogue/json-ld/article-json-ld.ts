import { toBcp47 } from '#contracts/product/index.ts';
import type { PostEntry } from '#model/entries.ts';
import { absoluteUrl } from '../addresses/absolute-url.ts';
import type { JsonLdNode } from './json-ld.ts';
import { pictureSources } from '../pictures/picture-sources.ts';

export function articleJsonLd(post: PostEntry, { site, maker }: { site: URL; maker: string }): JsonLdNode {
  const url = absoluteUrl(post.path, site);
  const publisher = { '@type': 'Organization', name: maker };
  return {
    '@type': 'BlogPosting',
    '@id': `${url}#article`,
    mainEntityOfPage: url,
    headline: post.title,
    ...(post.excerpt && { description: post.excerpt }),
    datePublished: post.published.toISOString(),
    dateModified: post.modified.toISOString(),
    inLanguage: toBcp47(post.language),
    author: post.author ? { '@type': 'Person', name: post.author } : publisher,
    publisher,
    ...(post.featured && { image: [absoluteUrl(pictureSources(post.featured, 'banner').src, site)] }),
  };
}
