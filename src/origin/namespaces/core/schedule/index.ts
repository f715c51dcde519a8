export { publishDuePosts } from './start-schedule.ts';
export { startSchedule, type Schedule } from './start-schedule.ts';
