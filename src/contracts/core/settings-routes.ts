import type { z } from 'zod';
import { route } from '../route.ts';

/** The routes of a group of settings: reading all of them, and changing what is sent. */
export function settingsRoutes<const P extends string, S extends z.ZodObject, B extends z.ZodObject>(group: {
  path: P;
  /** What summaries call the group: `Settings of the site`. */
  title: string;
  settings: S;
  /** What of them may be changed. */
  body: B;
}) {
  const { path, title, settings, body } = group;
  return {
    get: route({ method: 'GET', path, summary: title, access: 'user', response: settings }),
    update: route({
      method: 'POST',
      also: ['PUT', 'PATCH'],
      path,
      summary: `Changes what is sent of: ${title}`,
      access: 'user',
      body,
      response: settings,
    }),
  };
}

export type SettingsRoutes = ReturnType<typeof settingsRoutes<string, z.ZodObject, z.ZodObject>>;
