export { embedPages } from './embed-pages.ts';
export { serveOembed } from './serve-oembed.ts';
export { asXml } from './as-xml.ts';
