export { assertPortFree } from './listen.ts';
export { sendFile } from './send-file.ts';
export { serveStatic, getContentType, type ServeStaticOptions } from './serve-static.ts';
export { startSiteServer, type SiteServer, type SiteServerOptions, type SiteService } from './start-site-server.ts';
