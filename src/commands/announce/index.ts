export { announcePages, type AnnouncementResult } from './announce-pages.ts';
