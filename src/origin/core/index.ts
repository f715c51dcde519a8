export { normaliseSlug } from './normalise-slug.ts';
export { renderContent, renderExcerpt, texturise } from './render/index.ts';
export { publishDuePosts, startSchedule, type Schedule } from './schedule/index.ts';
export { serveCore } from './serve-core.ts';
export {
  fromSiteTime,
  loadSite,
  offsetHours,
  readWireTime,
  relocate,
  toSiteTime,
  toUtc,
  type Site,
} from './site/index.ts';
export { recoverMedia } from './media/recover-media.ts';
