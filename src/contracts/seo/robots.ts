/** What search engines may do with a page. What is not said is allowed. */
export interface RobotsRules {
  noindex?: boolean | undefined;
  nofollow?: boolean | undefined;
  noimageindex?: boolean | undefined;
  noarchive?: boolean | undefined;
  nosnippet?: boolean | undefined;
}

/** Directives by their names, in the order in which they are written: `{ index: 'noindex', follow: 'follow' }`. */
export type RobotsDirectives = Record<string, string>;

/**
 * The directives for some rules. Of a page that is not listed nothing more is said; what may not be shown of one has no
 * size either.
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

/** The directives as the content of a meta element or of a header. */
export function robotsText(directives: RobotsDirectives): string {
  return Object.values(directives).join(', ');
}
