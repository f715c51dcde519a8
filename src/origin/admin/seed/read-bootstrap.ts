import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { homePage, LOCALES, role } from '#contracts/core/index.ts';
import { formatProblems, readValue, SortimentError } from '#contracts/index.ts';

const timezone = z.string().refine(isTimezone, { error: 'is not a time zone such as "Europe/Berlin"' });

const themeName = z.string().regex(/^[\w.-]+$/, { error: 'is not a name of letters, digits, dots and dashes' });

/** Site and users of a first start. */
export const bootstrap = z.strictObject({
  site: z.strictObject({ name: z.string(), description: z.string(), timezone, theme: themeName.optional() }),
  users: z.array(
    z.strictObject({
      login: z.string().min(1),
      email: z.email({ error: 'is not an e-mail address' }),
      name: z.string().min(1),
      role,
      url: homePage.optional(),
      firstName: z.string().optional(),
      lastName: z.string().optional(),
      /** @default the login */
      nickname: z.string().min(1).optional(),
      locale: z.enum(LOCALES).optional(),
      description: z.string().optional(),
      password: z.string().min(1).optional(),
      applicationPassword: z
        .string()
        .regex(/^([a-z\d] ?){24}$/i, { error: 'is not 24 letters and digits, in groups of four if wanted' })
        .optional(),
      /** @default bootstrap */
      applicationPasswordName: z.string().min(1).optional(),
      /** @default a random one */
      applicationPasswordId: z.guid({ error: 'is not a UUID' }).optional(),
    }),
  ),
});

export type Bootstrap = z.output<typeof bootstrap>;

/** @throws {SortimentError} BOOTSTRAP_INVALID, with all that is wrong */
export async function readBootstrap(path: string): Promise<Bootstrap> {
  const reading = readValue(bootstrap, parse(path, await read(path)));
  if (reading.ok) return reading.value;
  throw invalid(path, `:\n${formatProblems(reading.problems)}`);
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw invalid(path, ' can not be read.', cause);
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(path, ` is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

function invalid(path: string, problem: string, cause?: unknown): SortimentError {
  return new SortimentError('BOOTSTRAP_INVALID', `The bootstrap file ${path}${problem}`, {
    hint: 'Correct the file, or unset BOOTSTRAP. Nothing was created.',
    cause,
  });
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
