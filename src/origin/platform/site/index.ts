export { loadSite, type Site } from './load-site.ts';
export { relocate } from './relocate.ts';
export { fromSiteTime, offsetHours, readWireMoment, readWireTime, toSiteTime, toUtc } from './site-clock.ts';
