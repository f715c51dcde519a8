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
