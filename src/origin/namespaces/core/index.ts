export { publishDuePosts, startSchedule, type Schedule } from './schedule/index.ts';
export { serveCore } from './serve-core.ts';
export { recoverMedia } from './media/recover-media.ts';
