export { isSiteLoaded, cacheSite, loadSite, SITE_COLUMN, SITE_OPTION, type Site } from './load-site.ts';
export { replaceSiteUrl } from './load-site.ts';
export { fromSiteTime, offsetHours, parseSiteDate, parseSiteTime, toSiteTime, toUtc } from '#contracts/site-clock.ts';
