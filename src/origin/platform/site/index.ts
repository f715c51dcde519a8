export { isSiteLoaded, keepSite, loadSite, SITE_COLUMN, SITE_OPTION, type Site } from './load-site.ts';
export { relocate } from './load-site.ts';
export { fromSiteTime, offsetHours, readWireMoment, readWireTime, toSiteTime, toUtc } from '#contracts/site-clock.ts';
