import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate --config src/origin/store/drizzle.config.ts --name <what-changes>`, from the project's folder. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/origin/store/schema.ts',
  out: './src/origin/store/migrations',
});
