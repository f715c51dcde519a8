/** Maximum lengths of metadata texts. */
export const MAX_TITLE_LENGTH = 500;
export const MAX_DESCRIPTION_LENGTH = 2000;
/** Maximum length of a keyphrase in indexables. */
export const MAX_KEYPHRASE_LENGTH = 191;

export const PAGE_TYPES = [
  'WebPage',
  'ItemPage',
  'AboutPage',
  'FAQPage',
  'QAPage',
  'ProfilePage',
  'ContactPage',
  'MedicalWebPage',
  'CollectionPage',
  'CheckoutPage',
  'RealEstateListing',
  'SearchResultsPage',
] as const;
export const ARTICLE_TYPES = [
  'Article',
  'BlogPosting',
  'SocialMediaPosting',
  'NewsArticle',
  'AdvertiserContentArticle',
  'SatiricalArticle',
  'ScholarlyArticle',
  'TechArticle',
  'Report',
  'None',
] as const;

/** Restrictions for search engines; unset ones are allowed. */
export interface RobotsRules {
  noindex?: boolean | undefined;
  nofollow?: boolean | undefined;
  noimageindex?: boolean | undefined;
  noarchive?: boolean | undefined;
  nosnippet?: boolean | undefined;
}

/** Directives by name, in output order: `{ index: 'noindex', follow: 'follow' }`. */
export type RobotsDirectives = Record<string, string>;

/**
 * Creates the directives of rules. Unlisted pages need no further directives, and a forbidden preview needs no size.
 */
export function robotsDirectives(rules: RobotsRules): RobotsDirectives {
  const follow = rules.nofollow === true ? 'nofollow' : 'follow';
  if (rules.noindex === true) return { index: 'noindex', follow };
  return {
    index: 'index',
    follow,
    ...(rules.nosnippet === true ? {} : { 'max-snippet': 'max-snippet:-1' }),
    ...(rules.noimageindex === true ? {} : { 'max-image-preview': 'max-image-preview:large' }),
    'max-video-preview': 'max-video-preview:-1',
    ...(rules.noimageindex === true ? { imageindex: 'noimageindex' } : {}),
    ...(rules.noarchive === true ? { archive: 'noarchive' } : {}),
    ...(rules.nosnippet === true ? { snippet: 'nosnippet' } : {}),
  };
}

/** Formats directives for a meta element or a header. */
export function robotsText(directives: RobotsDirectives): string {
  return Object.values(directives).join(', ');
}
