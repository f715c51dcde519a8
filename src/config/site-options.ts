import { z } from 'zod';

/**
 * Where the site is published. Each of them gets its headers and redirects in its own form; `none` is for hosts without
 * either (GitHub Pages, a bucket), where moved pages leave a small page behind that leads on.
 */
export const HOSTS = ['none', 'cloudflare', 'netlify', 'vercel', 'azure', 'gitlab', 'nginx', 'caddy'] as const;
export type Host = (typeof HOSTS)[number];

export const host = z.enum(HOSTS);

const crawling = z.enum(['allow', 'disallow']);

/** What robots.txt says to the crawlers of AI services. They are named one by one, whatever is chosen. */
export const crawlers = z.strictObject({
  /** Those that answer questions with a link to their source. @default 'allow' */
  aiSearch: crawling.default('allow'),
  /** Those that collect texts to train models with. @default 'allow' */
  aiTraining: crawling.default('allow'),
});

/** `/.well-known/security.txt` (RFC 9116). */
export const security = z.strictObject({
  /** Addresses for reports of security problems, the preferred one first: `mailto:…`, `https://…`. */
  contact: z.array(z.url({ protocol: /^(https|mailto|tel)$/ })).min(1),
  /** Until when this holds, at most a year ahead; a build warns 30 days before. */
  expires: z.iso.date(),
  /** Address of the rules for those who look for such problems. */
  policy: z.url({ protocol: /^https$/ }).optional(),
});

/** IndexNow: tells search engines which pages have changed, when `npm run announce` is called after a deployment. */
export const indexNow = z.strictObject({
  /** Any 8 to 128 letters, digits and hyphens; it stands in a file of the site, and so is no secret. */
  key: z.string().regex(/^[A-Za-z0-9-]{8,128}$/, { error: 'is not 8 to 128 letters, digits and hyphens' }),
  /** @default 'https://api.indexnow.org/indexnow' */
  endpoint: z.url({ protocol: /^https?$/ }).default('https://api.indexnow.org/indexnow'),
});
