/** Commands of a project: `sortiment sync`, `npm run sync`. */
export const COMMANDS = [
  'start',
  'dev',
  'sync',
  'build',
  'watch',
  'serve',
  'origin',
  'hooks',
  'announce',
  'doctor',
  'strings',
  'completions',
] as const;
