import { createHash } from 'node:crypto';

const SIZES = [24, 48, 96];

/** Addresses of a person's picture, by size in pixels, at a service that knows it by a hash of the e-mail address. */
export function avatarAddresses(email: string): Record<string, string> {
  const hash = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  const address = (size: number) => `https://secure.gravatar.com/avatar/${hash}?s=${size}&d=mm&r=g`;
  return Object.fromEntries(SIZES.map((size) => [String(size), address(size)]));
}
