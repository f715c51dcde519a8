import { classifyGtin } from '#contracts/index.ts';
import { shortPlayTime } from '#contracts/podcast/play-time.ts';
import { transcriptMimeType, type Cue } from '#contracts/podcast/transcript.ts';
import type { Options } from '#config/index.ts';
import { toBcp47, getFieldUnit, type Availability, type DimensionField } from '#contracts/product/index.ts';
import {
  articleNode,
  createNode,
  nodeReference,
  organizationNode,
  websiteNode,
  type JsonLdNode,
} from '#contracts/seo/linked-data.ts';
import type { FieldView, PostEntry, ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import type { AudioFile, EpisodeEntry, PodcastEntry } from '#catalogue/entries/entries.ts';
import { digitalLink } from '../addresses/shop-paths.ts';
import {
  archivePath,
  episodeTranscriptPath,
  homePath,
  podcastFeedPath,
  productPath,
  rootPath,
} from '../addresses/paths.ts';
import { absoluteUrl, hostPath } from '../addresses/site-paths.ts';
import { hasLanguage } from '#contracts/product/document-kinds.ts';
import { pictureSources } from '../images/image-variants.ts';
import type { PriceView, UnitPrice } from '../products/price.ts';
import { fieldsIn } from '../products/product-fields.ts';

/** The site and the name of its publisher. */
interface PublisherOptions {
  site: URL;
  maker: string;
}

/** Creates the reference to the publisher, which is the same on every page. */
function organizationReference(name: string, site: URL): JsonLdNode {
  return organizationNode({ home: absoluteUrl(rootPath(), site), name });
}

/**
 * Creates the nodes of the publisher and the site for home pages.
 * @param options Options of the site.
 * @param language Language of the page. Undefined on the language chooser.
 */
export function siteJsonLd(
  { site: { name }, brand, maker, seo: { profiles } }: Pick<Options, 'site' | 'brand' | 'maker' | 'seo'>,
  description: string | undefined,
  language: string | undefined,
  site: URL,
): JsonLdNode[] {
  const { address, country, email } = maker;
  const streetAddress = address.join(', ');
  const organization = organizationNode({
    home: absoluteUrl(rootPath(), site),
    name: maker.name,
    logo: absoluteUrl(hostPath(brand.logo?.light ?? brand.icon), site),
    email,
    sameAs: profiles,
    address: country ? { '@type': 'PostalAddress', streetAddress, addressCountry: country } : streetAddress,
  });
  const website = websiteNode({
    home: absoluteUrl(language === undefined ? rootPath() : homePath(language), site),
    name,
    description,
    inLanguage: language && toBcp47(language),
    publisherId: String(organization['@id']),
  });
  return [organization, website];
}

export interface Crumb {
  name: string;
  path: string;
}

interface ListedPage {
  path: string;
  /** Name if the item's page has no node. */
  name?: string;
}

/**
 * Creates the node of a list.
 * @param list Path of the page, its items, the number of items on earlier pages, and the total.
 */
export function listJsonLd(
  { path, items, before = 0, total }: { path: string; items: readonly ListedPage[]; before?: number; total?: number },
  site: URL,
): JsonLdNode {
  return createNode('ItemList', `${absoluteUrl(path, site)}#list`, {
    numberOfItems: total ?? items.length,
    itemListElement: items.map((item, i) =>
      createNode('ListItem', undefined, {
        position: before + i + 1,
        url: absoluteUrl(item.path, site),
        name: item.name,
      }),
    ),
  });
}

/** Creates the node of an author, identified by the author's archive. */
export function personJsonLd(
  { author, authorSlug, language }: Pick<PostEntry, 'author' | 'authorSlug' | 'language'>,
  site: URL,
): JsonLdNode {
  const url = authorSlug && absoluteUrl(archivePath(language, 'author', authorSlug), site);
  return createNode('Person', url && `${url}#person`, { url, name: author });
}

export function articleJsonLd(post: PostEntry, { site, maker }: PublisherOptions): JsonLdNode {
  const publisher = organizationReference(maker, site);
  return articleNode({
    type: 'BlogPosting',
    url: absoluteUrl(post.path, site),
    headline: post.title,
    description: post.excerpt,
    datePublished: post.published.toISOString(),
    dateModified: post.modified.toISOString(),
    inLanguage: toBcp47(post.language),
    author: post.author ? personJsonLd(post, site) : publisher,
    publisher,
    image: post.featured && [absoluteUrl(pictureSources(post.featured, 'banner').src, site)],
  });
}

export interface ProductJsonLdOptions extends PublisherOptions {
  path: string;
  price: PriceView;
  family?: string | undefined;
  /** Formats of the product, including itself, and its accessories. */
  variants?: readonly LinkedProduct[];
  accessories?: readonly LinkedProduct[];
  /** Returns the name of a field or a kind of documents in the language of the page. */
  label: (field: string) => string;
}

type LinkedProduct = Pick<ProductListEntry, 'name' | 'gtin' | 'pageLanguage' | 'slug'>;

/** `unknown` has no equivalent. */
const AVAILABILITY: Partial<Record<Availability, string>> = {
  available: 'InStock',
  limited: 'LimitedAvailability',
  not_available: 'OutOfStock',
};

/**
 * Creates the node of a product. The `Offer` is included only if the page shows a price. Declared values stay texts
 * with their norm as the measurement method. schema.org has no length of a product, so length, area and joint are named
 * measurements.
 */
export function productJsonLd(product: ProductEntry, options: ProductJsonLdOptions): JsonLdNode {
  const { site, maker, label, family, variants = [], accessories = [] } = options;
  const url = absoluteUrl(options.path, site);
  const manufacturer = organizationReference(maker, site);
  return createNode('Product', `${url}#product`, {
    url,
    name: product.name,
    description: product.intro,
    image: product.imageAsset && [absoluteUrl(pictureSources(product.imageAsset, 'product').src, site)],
    ...gtinOf(product.gtin),
    hasGS1DigitalLink: classifyGtin(product.gtin) === 'restricted' ? undefined : digitalLink(product.gtin, site),
    sku: product.item_number,
    mpn: product.item_number,
    brand: { '@type': 'Brand', name: maker },
    manufacturer,
    category: family,
    material: product.materials.map(({ value }) => value),
    width: quantity(product, 'width'),
    height: quantity(product, 'height'),
    weight: quantity(product, 'weight'),
    hasMeasurement: (['length', 'area', 'joint'] as const).flatMap((field) => {
      const node = quantity(product, field);
      return node ? [{ ...node, name: label(field) }] : [];
    }),
    additionalProperty: [
      ...product.attributes.map(({ name, norm, value }) =>
        createNode('PropertyValue', undefined, { name, value, measurementMethod: norm }),
      ),
      ...fieldsIn(product, 'schema').map((view) =>
        createNode('PropertyValue', undefined, { name: view.label, value: schemaValue(view), unitText: view.unit }),
      ),
    ],
    subjectOf: product.documents.map(({ field, href, mimeType, language }) =>
      createNode('DigitalDocument', undefined, {
        name: label(field),
        url: absoluteUrl(href, site),
        encodingFormat: mimeType,
        inLanguage: hasLanguage({ field, mimeType }) ? toBcp47(language) : undefined,
      }),
    ),
    isVariantOf: variants.length > 0 ? productGroup(variants, site) : undefined,
    isRelatedTo: accessories.map((accessory) => productReference(accessory, site)),
    offers: offer(product, options.price, url, manufacturer),
  });
}

/** Returns numbers and truth values as such, others as pages show them. */
function schemaValue({ type, values }: FieldView): string | number | boolean {
  const text = values.map((value) => value.text).join(', ');
  if (type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

function quantity(product: ProductEntry, field: DimensionField): JsonLdNode | undefined {
  const decimal = product[field];
  return decimal && { '@type': 'QuantitativeValue', value: decimal.value, unitCode: getFieldUnit(field).unitCode };
}

/** Groups the formats of a product. The GTIN of the first identifies the group. */
function productGroup(variants: readonly LinkedProduct[], site: URL): JsonLdNode {
  const [first] = variants;
  const id = first && `${absoluteUrl(productPath(first.pageLanguage, first.slug), site)}#formats`;
  return createNode('ProductGroup', id, {
    name: sharedName(variants),
    productGroupID: first?.gtin,
    variesBy: ['https://schema.org/size'],
    hasVariant: variants.map((variant) => productReference(variant, site)),
  });
}

/** Returns the common prefix of the formats' names in whole words: `ALPEX Vario`. */
function sharedName(variants: readonly LinkedProduct[]): string {
  const [first = [], ...remaining] = variants.map(({ name }) => name.split(' '));
  const end = first.findIndex((word, i) => remaining.some((words) => words[i] !== word));
  return (end > 0 ? first.slice(0, end) : first).join(' ');
}

/** Returns the GTIN unless it is restricted to a shop or company. */
function gtinOf(gtin: string): JsonLdNode {
  return classifyGtin(gtin) === 'restricted' ? {} : { gtin13: gtin };
}

/** Creates a reference to a product, which its own page describes. */
function productReference({ name, gtin, pageLanguage, slug }: LinkedProduct, site: URL): JsonLdNode {
  const url = absoluteUrl(productPath(pageLanguage, slug), site);
  return createNode('Product', `${url}#product`, { name, ...gtinOf(gtin), url });
}

/**
 * Creates the offer with the price specification that merchant listings require: the price of a trade unit, its
 * content, and the reference unit. Discontinued products have no offer.
 */
function offer(product: ProductEntry, view: PriceView, url: string, seller: JsonLdNode): JsonLdNode | undefined {
  if (product.archived || view.kind !== 'amount') return undefined;
  const availability = AVAILABILITY[product.availability];
  const price = { price: view.amount, priceCurrency: view.currency };
  return createNode('Offer', undefined, {
    url,
    ...price,
    itemCondition: 'https://schema.org/NewCondition',
    availability: availability && `https://schema.org/${availability}`,
    seller,
    priceSpecification: createNode('UnitPriceSpecification', undefined, {
      ...price,
      valueAddedTaxIncluded: view.tax === 'gross',
      referenceQuantity: view.unitPrice && referenceQuantity(view.unitPrice),
    }),
  });
}

function referenceQuantity({ measure, unitCode }: UnitPrice): JsonLdNode {
  const unit = { '@type': 'QuantitativeValue', unitCode };
  return { ...unit, value: measure, valueReference: { ...unit, value: '1' } };
}

/** Longer transcripts are only linked, because the page contains them. */
const MAX_TRANSCRIPT_CHARACTERS = 5_000;

/** Creates the node of the podcast for its page. Episodes refer to it by `@id`. */
export function podcastJsonLd(podcast: PodcastEntry, { site, maker }: PublisherOptions): JsonLdNode {
  const publisher = organizationReference(maker, site);
  const { category, author, cover } = podcast;
  return {
    ...seriesReference(podcast, site),
    ...createNode('PodcastSeries', undefined, {
      alternativeHeadline: podcast.subtitle,
      description: podcast.summary,
      inLanguage: toBcp47(podcast.language),
      webFeed: absoluteUrl(podcastFeedPath(podcast.language), site),
      author: author ? { '@type': 'Organization', name: author } : publisher,
      publisher,
      genre: category && (category.leaf ?? category.top),
      copyrightNotice: podcast.copyright,
      license: podcast.license?.url,
      sameAs: podcast.listen.map(({ url }) => url),
      image: cover && [absoluteUrl(pictureSources(cover, 'figure').src, site)],
    }),
  };
}

function seriesReference({ title, path }: PodcastEntry, site: URL): JsonLdNode {
  const url = absoluteUrl(path, site);
  return createNode('PodcastSeries', `${url}#podcast`, { url, name: title });
}

/**
 * Creates the node of an episode with its audio file, chapters as clips, and mentioned products.
 * @param cues Transcript.
 */
export function episodeJsonLd(
  episode: EpisodeEntry,
  {
    podcast,
    products,
    cues,
    site,
    maker,
  }: PublisherOptions & { podcast: PodcastEntry; products: readonly ProductListEntry[]; cues: readonly Cue[] },
): JsonLdNode {
  const url = absoluteUrl(episode.path, site);
  const { season, chapters, durationMs, contributors } = episode;
  const cover = episode.cover ?? podcast.cover;
  const publisher = organizationReference(maker, site);
  const duration = durationMs > 0 ? isoDuration(durationMs) : undefined;
  return createNode('PodcastEpisode', `${url}#episode`, {
    url,
    mainEntityOfPage: nodeReference(url),
    identifier: episode.guid,
    name: episode.title,
    description: episode.summary || episode.subtitle,
    episodeNumber: episode.number,
    partOfSeason: season === undefined ? undefined : { '@type': 'PodcastSeason', seasonNumber: season },
    partOfSeries: seriesReference(podcast, site),
    datePublished: episode.published.toISOString(),
    dateModified: episode.modified.toISOString(),
    inLanguage: toBcp47(episode.language),
    duration,
    timeRequired: duration,
    isFamilyFriendly: !episode.explicit,
    author: contributors.length > 0 ? contributors.map(({ name }) => ({ '@type': 'Person', name })) : publisher,
    publisher,
    license: episode.license?.url ?? podcast.license?.url,
    image: cover && [absoluteUrl(pictureSources(cover, 'figure').src, site)],
    associatedMedia: episode.audio.map((file) => audioNode(file, episode, cues, site)),
    hasPart: chapters.map(({ startMs, title }, i) => ({
      '@type': 'Clip',
      position: i + 1,
      name: title,
      startOffset: startMs / 1000,
      endOffset: (chapters[i + 1]?.startMs ?? Math.max(durationMs, startMs)) / 1000,
      url: `${url}#t=${shortPlayTime(startMs)}`,
    })),
    mentions: products.map((product) => productReference(product, site)),
  });
}

function audioNode(
  { href, mimeType, bytes, digest }: AudioFile,
  { language, slug, title, durationMs, transcript, modified }: EpisodeEntry,
  cues: readonly Cue[],
  site: URL,
): JsonLdNode {
  const transcriptText = cues.map(({ text }) => text).join(' ');
  const inLanguage = toBcp47(language);
  return createNode('AudioObject', undefined, {
    name: title,
    contentUrl: absoluteUrl(href, site),
    encodingFormat: mimeType,
    contentSize: bytes > 0 ? String(bytes) : undefined,
    duration: durationMs > 0 ? isoDuration(durationMs) : undefined,
    uploadDate: modified.toISOString(),
    inLanguage,
    sha256: digest,
    caption: transcript && {
      '@type': 'MediaObject',
      contentUrl: absoluteUrl(episodeTranscriptPath(language, slug, 'vtt'), site),
      encodingFormat: transcriptMimeType('webvtt'),
      inLanguage,
    },
    transcript: transcriptText.length <= MAX_TRANSCRIPT_CHARACTERS ? transcriptText : undefined,
  });
}

/** Formats a duration as ISO 8601, `PT1H2M3S`. */
export function isoDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `PT${h > 0 ? `${h}H` : ''}${m > 0 ? `${m}M` : ''}${s > 0 || seconds < 60 ? `${s}S` : ''}`;
}
