import { z } from 'zod';
import { hasUserInfo } from '#contracts/index.ts';

/**
 * An http(s) address. One with a user name or a password is refused, because addresses are stored and shown.
 * @param advice What to do instead, as the end of the message.
 */
export function webAddress(advice = 'take them out', protocol = /^https?$/) {
  return z
    .url({ protocol, error: 'is not an http(s) address', abort: true })
    .refine((address) => !hasUserInfo(address), { error: `holds a user name or a password: ${advice}` });
}
