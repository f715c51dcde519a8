export { embedPages } from './embed-pages.ts';
export { findByAddress, type Addressed } from './find-by-address.ts';
export { serveOembed } from './serve-oembed.ts';
export { asXml } from './as-xml.ts';
