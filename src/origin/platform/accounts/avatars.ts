import { createHash } from 'node:crypto';

const SIZES = [24, 48, 96];

/** Returns avatar addresses by size in pixels, at a service that looks them up by a hash of the mail address. */
export function avatarUrls(email: string): Record<string, string> {
  return Object.fromEntries(SIZES.map((size) => [String(size), avatarUrl(email, size)]));
}

export function avatarUrl(email: string, size: number): string {
  const hash = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${hash}?s=${size}&d=mm&r=g`;
}
