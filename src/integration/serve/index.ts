export { assertPortFree } from './listen.ts';
export { serveStatic } from './serve-static.ts';
export { siteHeaders } from './site-headers.ts';
export { startSiteServer, type SiteServer, type SiteServerOptions, type SiteService } from './start-site-server.ts';
