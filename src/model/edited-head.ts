import { z } from 'zod';
import { imageAsset } from './image-asset.ts';

/** Marks an address of this site, before it is known where the site stands: `site:/de-de/`. */
export const OWN_ADDRESS = 'site:';

/** An address: of this site, or elsewhere and whole. */
const address = z.string();

const picture = z.object({
  /** Where it was mirrored: the picture of this site. */
  asset: imageAsset.optional(),
  /** Elsewhere. */
  url: address,
  width: z.int().optional(),
  height: z.int().optional(),
  type: z.string().optional(),
});

/**
 * Collection `heads`, id = path of the page: what editors of the publishing site, or its templates, want the head of a
 * page to say. What is empty is not said. Addresses of the publishing site are those of this one.
 */
export const editedHead = z.object({
  title: z.string(),
  description: z.string(),
  /** Directives in their order. */
  robots: z.array(z.string()),
  /** The page that stands for this one, where it is another. */
  canonical: address.optional(),
  openGraph: z.object({
    type: z.string(),
    title: z.string(),
    description: z.string(),
    images: z.array(picture),
    article: z.array(z.tuple([z.string(), z.string()])),
  }),
  /** Without `twitter:` before the names. */
  twitter: z.record(z.string(), z.string()),
  author: z.string(),
  graph: z.array(z.record(z.string(), z.unknown())),
  /** The name of the page in trails; empty for its title. */
  breadcrumbTitle: z.string(),
  /** Whether it is one of the texts that matter most. */
  isCornerstone: z.boolean(),
});

export type EditedHead = z.output<typeof editedHead>;
