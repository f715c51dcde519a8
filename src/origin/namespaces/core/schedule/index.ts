export { publishDuePosts } from './publish-due-posts.ts';
export { startSchedule, type Schedule } from './start-schedule.ts';
