import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readValue, formatProblems, SortimentError, STOCK_NAMESPACES, type NamespaceMap } from '#contracts/index.ts';

const address = z.url({ protocol: /^https?$/, error: 'is not an http(s) address' });

const namespaceNames = z.string().transform((text, ctx): NamespaceMap | 'detect' => {
  if (text === 'stock') return STOCK_NAMESPACES;
  if (text === 'neutral') return {};
  const pairs = text.split(/[\s,]+/).map((pair) => pair.split('='));
  if (pairs.every((pair) => pair.length === 2 && pair.every(Boolean))) return Object.fromEntries(pairs) as NamespaceMap;
  ctx.addIssue({ code: 'custom', message: 'is neither "stock", "neutral" nor a list such as "core/v2=wp/v2"' });
  return z.NEVER;
});

const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((word) => word === '1' || word === 'true');

const environment = z.object({
  PRODUCT_API_URL: address.optional(),
  PRODUCT_API_TOKEN: z.string().min(1).optional(),
  PUBLISHING_URL: address.optional(),
  PUBLISHING_REST_ROOT: z.string().min(1).optional(),
  PUBLISHING_NAMESPACES: namespaceNames.optional(),
  SITE_URL: address.optional(),
  SORTIMENT_OFFLINE: flag.optional(),
  SORTIMENT_HOME: z.string().min(1).optional(),
  DATABASE_URL: z.string().min(1).optional(),
  PORT: z.coerce.number({ error: 'is not a port' }).int({ error: 'is not a port' }).min(0).max(65_535).optional(),
});

export type Environment = z.output<typeof environment>;

/**
 * Reads addresses and secrets from the environment and from `.env` in the project's folder (which never
 * overrides what is already set). Empty values count as not set.
 * @throws SortimentError ENVIRONMENT_INVALID with every problem at once; values are never printed.
 */
export function readEnvironment(root: string, variables: NodeJS.ProcessEnv = process.env): Environment {
  const file = path.join(root, '.env');
  if (variables === process.env && existsSync(file)) process.loadEnvFile(file);
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const reading = readValue(environment, given);
  if (reading.ok) return reading.value;
  throw new SortimentError(
    'ENVIRONMENT_INVALID',
    `The environment has a problem:\n${formatProblems(reading.problems)}`,
    {
      hint: 'Correct it in .env or in the shell; .env.example explains each variable.',
    },
  );
}
