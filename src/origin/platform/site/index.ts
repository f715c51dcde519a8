export { isSiteLoaded, keepSite, loadSite, SITE_COLUMN, type Site } from './load-site.ts';
export { relocate } from './load-site.ts';
export { fromSiteTime, offsetHours, readWireMoment, readWireTime, toSiteTime, toUtc } from './site-clock.ts';
