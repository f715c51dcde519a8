import { and, eq, ne, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { role, type Role, type updateUser, type userBody } from '#contracts/core/index.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import { invalidParameters, type AnyCall, type RestError } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { user } from '#origin/platform/store/schema.ts';
import { normaliseSlug } from '#origin/platform/content/normalise-slug.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { plainText } from '#origin/platform/render/index.ts';

export type WrittenUser = z.output<typeof userBody>;
export type UserWritingCall = AnyCall<RouteErrors<typeof updateUser>> & { body: WrittenUser };

/** The one role that a user is to have. @throws when there is no such role, or not one */
export function readRole(sent: readonly string[], { refuse }: AnyCall<'rest_user_invalid_role'>): Role {
  const [first] = sent;
  const known = role.safeParse(first);
  if (known.success && sent.length === 1) return known.data;
  throw refuse('rest_user_invalid_role', `A user has exactly one of the roles ${role.options.join(', ')}.`);
}

/** Names stand beside everything that a user has written. */
const MOST_CHARACTERS = { name: 250, first_name: 250, last_name: 250, nickname: 250, url: 2048, description: 65_000 };

function tooLong(name: string, most: number): RestError {
  const text = `${name} has at most ${most} characters.`;
  return invalidParameters([{ name, code: 'rest_too_long', text, data: { status: 400 } }]);
}

/** What users tell of themselves, as it is stored; an empty name is taken as not sent. */
export async function readAbout(sent: WrittenUser, caller: Caller) {
  const { name, description, url, first_name: firstName, last_name: lastName, nickname, locale } = sent;
  for (const [field, most] of Object.entries(MOST_CHARACTERS) as [keyof typeof MOST_CHARACTERS, number][])
    if ((sent[field] ?? '').length > most) throw tooLong(field, most);
  const shownName = name === undefined ? '' : plainText(name);
  const isKept = description === undefined || can(caller, 'unfiltered_html');
  const about = isKept ? description : await runAside('filterInline', description);
  return {
    ...(shownName === '' ? {} : { name: shownName }),
    ...(firstName === undefined ? {} : { firstName: plainText(firstName) }),
    ...(lastName === undefined ? {} : { lastName: plainText(lastName) }),
    ...(nickname === undefined ? {} : { nickname: plainText(nickname) }),
    ...(locale === undefined ? {} : { locale }),
    ...(about === undefined ? {} : { description: about }),
    ...(url === undefined ? {} : { url }),
  };
}

/** A slug that was chosen. @throws when nothing is left of it, or another user has it */
export async function readSlug(
  tx: Transaction,
  { refuse }: AnyCall<'rest_user_invalid_slug'>,
  sent: string,
  ownId = 0,
): Promise<string> {
  const slug = normaliseSlug(sent);
  const [other] = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.slug, slug), ne(user.id, ownId)))
    .limit(1);
  if (slug === '' || other) throw refuse('rest_user_invalid_slug', 'The slug is empty or taken.');
  return slug;
}

/** @throws when another user has the address */
export async function readEmail(
  tx: Transaction,
  { refuse }: AnyCall<'rest_user_invalid_email'>,
  sent: string,
  ownId: number,
): Promise<string> {
  const email = sent.trim().toLowerCase();
  const [other] = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.email, email), ne(user.id, ownId)))
    .limit(1);
  if (other) throw refuse('rest_user_invalid_email', 'Another user has this e-mail address.');
  return email;
}

/** Somebody has to be left who can manage the site. @throws when this user is the last who can */
export async function keepAdministrator(
  tx: Transaction,
  { refuse }: AnyCall<'rest_user_last_administrator'>,
  leavingId: number,
): Promise<void> {
  const others = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.role, 'administrator'), eq(user.active, true), ne(user.id, leavingId)))
    .orderBy(sql`${user.id}`)
    .for('update');
  if (others.length > 0) return;
  throw refuse('rest_user_last_administrator', 'This is the last administrator. Appoint another one first.');
}
