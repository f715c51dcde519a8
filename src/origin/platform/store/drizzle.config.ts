import { defineConfig } from 'drizzle-kit';

/**
 * Run in the project folder: `npx drizzle-kit generate --config src/origin/platform/store/drizzle.config.ts --name
 * <what-changes>`
 */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/origin/platform/store/schema.ts',
  out: './src/origin/platform/store/migrations',
});
