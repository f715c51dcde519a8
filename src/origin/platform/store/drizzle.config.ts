import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate --config src/origin/platform/store/drizzle.config.ts --name <what-changes>`, from the project's folder. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/origin/platform/store/schema.ts',
  out: './src/origin/platform/store/migrations',
});
