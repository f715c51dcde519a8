import { z } from 'zod';

/** Kinds of records with pages. */
export const SUBJECT_KINDS = ['post', 'page', 'episode', 'category', 'tag', 'author'] as const;

/** The record of a page: kind and id; the home page has no record. */
export interface HeadSubject {
  kind: 'home' | (typeof SUBJECT_KINDS)[number];
  /** Id of the record; of an episode: id of its page; of the home page: 0. */
  id: number;
}

/**
 * Metadata of a page of the publishing site, from editors or templates. Texts are plain, single-line and limited in
 * length. URLs are absolute and still those of the publishing site. Unset values are empty.
 */
export const headRecord = z.object({
  /** `post/7`. */
  id: z.string(),
  subject: z.custom<HeadSubject>(),
  /** URL of the page. */
  url: z.string(),
  title: z.string(),
  description: z.string(),
  /** Directives in order: `noindex`, `max-snippet:-1`. */
  robots: z.array(z.string()),
  canonical: z.string(),
  openGraph: z.object({
    type: z.string(),
    title: z.string(),
    description: z.string(),
    url: z.string(),
    /** `de_DE`. */
    locale: z.string(),
    images: z.array(
      z.object({
        url: z.string(),
        width: z.int().optional(),
        height: z.int().optional(),
        type: z.string().optional(),
        alt: z.string().optional(),
      }),
    ),
    /** Properties of articles: `article:published_time`. */
    article: z.array(z.tuple([z.string(), z.string()])),
  }),
  /**
   * Keys lack the prefix `twitter:`. Labels aren't stored, because pages generate author and reading time in their own
   * language.
   */
  twitter: z.record(z.string(), z.string()),
  author: z.string(),
  /** Nodes of structured data. */
  graph: z.array(z.record(z.string(), z.unknown())),
  /** Title in breadcrumbs. */
  breadcrumbTitle: z.string(),
  isCornerstone: z.boolean(),
  /** Redirect URL. */
  redirect: z.string(),
});
export type HeadRecord = z.output<typeof headRecord>;
