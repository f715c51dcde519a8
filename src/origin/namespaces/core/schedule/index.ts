export { publishDuePosts, startSchedule } from './start-schedule.ts';
