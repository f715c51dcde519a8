import { z } from 'zod';
import { hasUserInfo } from '#contracts/index.ts';

/**
 * Validates an http(s) URL. URLs with credentials are rejected, because URLs are stored and shown.
 * @param advice What to do instead; the end of the message.
 */
export function webAddress(advice = 'remove it', protocol = /^https?$/) {
  return z
    .url({ protocol, error: 'is not an http(s) address', abort: true })
    .refine((address) => !hasUserInfo(address), { error: `contains a user name or password: ${advice}` });
}
