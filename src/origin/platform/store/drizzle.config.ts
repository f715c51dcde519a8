/**
 * Run in the project folder: `.config/audit/node_modules/.bin/drizzle-kit generate
 * --config src/origin/platform/store/drizzle.config.ts --name <what-changes>`
 */
export default {
  dialect: 'postgresql',
  schema: './src/origin/platform/store/schema.ts',
  out: './src/origin/platform/store/migrations',
};
