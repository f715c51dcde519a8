import { hazardLabel, type HazardLabel } from '#contracts/hazard-label.ts';
import { z } from 'zod';
import { languageCode, product, type ProductRecord } from '#contracts/product/index.ts';
import type { DemoPodcast } from './demo-podcast.ts';
import type { DemoSeo } from './demo-seo.ts';

const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'is not a slug: lower-case letters, digits, hyphens' });
const mail = z.email({ error: 'is not an e-mail address' });
const localDateTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, { error: 'is not a local time such as 2026-05-07T08:00:00' });

/** One text per language. */
const texts = z.record(languageCode, z.string().min(1));

export const demoSite = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  timezone: z.string().min(1),
  users: z
    .array(
      z.strictObject({ login: slug, language: languageCode, name: z.string(), role: z.literal('editor'), email: mail }),
    )
    .min(1),
  maker: z.strictObject({
    name: z.string().min(1),
    street: z.string(),
    postal_code: z.string(),
    city: z.string(),
    country: z.string().length(2),
    email: mail,
  }),
});

export const demoTerms = z.strictObject({
  categories: z.array(
    z.strictObject({
      slug,
      language: languageCode,
      /** Exactly one category per language is the language's own; the others are topics. */
      role: z.enum(['language', 'topic']),
      /** Slug of the category above; absent at the top level. */
      parent: slug.optional(),
      name: z.string().min(1),
      description: z.string(),
    }),
  ),
  /** A tag without a language ties translations together. */
  tags: z.array(z.strictObject({ slug, language: languageCode.optional(), name: z.string().min(1) })),
});

export const demoMedia = z.array(
  z.strictObject({
    key: slug,
    /** Path below the folder that the media were generated into. */
    file: z.string().regex(/^media\/motifs\/[a-z0-9-]+\.jpg$/, { error: 'is not media/motifs/<key>.jpg' }),
    title: texts,
    alt: texts,
    caption: texts,
    description: texts,
  }),
);

export const postFrontMatter = z.strictObject({
  title: z.string().min(1),
  slug,
  /** In the time zone of the site, without an offset. */
  date: localDateTime,
  /** Plain text; absent where the interface is to make one from the body. */
  excerpt: z.string().optional(),
  categories: z.array(slug).min(1),
  tags: z.array(slug).min(1),
  /** Key of the motif; the record of the post's language is meant. */
  featured: slug,
  sticky: z.boolean().default(false),
});

export const pageFrontMatter = z.strictObject({
  title: z.string().min(1),
  slug,
  /** Key of the page above, in the same language. */
  parent: slug.optional(),
  menu_order: z.int().min(0),
  featured: slug.optional(),
});

const mediaPath = z.union([
  z.literal(''),
  z
    .string()
    .regex(/^media\/[a-z0-9/.-]+\.(pdf|png|jpg)$/, { error: 'is neither empty nor the path of a file below media/' }),
]);

/** A product whose links are paths below `media/`: the origin puts its own address in front of them. */
export const demoProduct = product.extend({
  datasheet: mediaPath,
  safety_datasheet: mediaPath,
  declaration_of_performance: mediaPath,
  image: mediaPath,
  banner: mediaPath,
});

/** What the project adds to a product: documents quote the label only. */
export const demoAddition = z.object({ hazard: hazardLabel.optional() });

export const demoProducts = z.record(z.string(), z.record(languageCode, demoProduct));

export type DemoSite = Omit<z.output<typeof demoSite>, 'users' | 'maker'>;
export type DemoUser = z.output<typeof demoSite>['users'][number];
export type DemoMaker = z.output<typeof demoSite>['maker'];
export type DemoCategory = z.output<typeof demoTerms>['categories'][number];
export type DemoTag = z.output<typeof demoTerms>['tags'][number];
export type DemoMediaItem = z.output<typeof demoMedia>[number];
/** Inside the house: what does not apply is `undefined`. */
export type DemoProduct = z.output<typeof demoProduct>;
/** `{gtin: {language: record}}`, each record as it goes over the wire but for its links. */
export type DemoProducts = Readonly<Record<string, Readonly<Record<string, ProductRecord>>>>;

/** What labels say, by the GTIN of those that say something. */
export type DemoHazards = Readonly<Record<string, HazardLabel>>;

interface DemoText {
  /** Ties the language versions together: the file is `<key>.<language>.html`. */
  key: string;
  language: string;
  /** HTML with the tokens `{site}` and `{media:<key>}`. */
  body: string;
}
/** `author` is the login of the editorial account of the post's language. */
export type DemoPost = z.output<typeof postFrontMatter> & DemoText & { author: string };
export type DemoPage = z.output<typeof pageFrontMatter> & DemoText & { author: string };

export interface DemoContent {
  site: DemoSite;
  users: DemoUser[];
  maker: DemoMaker;
  categories: DemoCategory[];
  tags: DemoTag[];
  media: DemoMediaItem[];
  posts: DemoPost[];
  pages: DemoPage[];
  products: DemoProducts;
  hazards: DemoHazards;
  podcast: DemoPodcast;
  seo: DemoSeo;
}
