export { loadSite, type Site } from './load-site.ts';
export { relocate } from './load-site.ts';
export { fromSiteTime, offsetHours, readWireMoment, readWireTime, toSiteTime, toUtc } from './site-clock.ts';
