import type { PublishingSite } from '#client/detect-publishing.ts';
import { countNoun, type StoredWarning } from '#contracts/index.ts';
import { parseSiteDate } from '#contracts/site-clock.ts';
import { wireDateTime } from '#contracts/wire.ts';
import type { TextConverters } from '#contracts/synced/index.ts';
import { plainText, sanitiseHtml, type LostMedia } from './sanitise-html.ts';

/**
 * Creates the text functions for records of a site.
 * @param warn Receives content that is removed from a text.
 */
export function textTools(
  site: Pick<PublishingSite, 'timeZone'> | undefined,
  warn: (warning: StoredWarning) => void = () => undefined,
): TextConverters {
  return {
    plain: plainText,
    html: (html, link, { idPrefix, field = 'content' } = {}) => {
      const base = URL.canParse(link) ? link : undefined;
      const onLost = (lost: LostMedia) => warn({ field, ...describeLostMedia(lost) });
      return sanitiseHtml(html, { base, onLost, ...(idPrefix && { idPrefix }) }).trim();
    },
    time: (text) => {
      const zoned = wireDateTime.safeParse(text).data;
      return (zoned ? parseSiteDate(zoned, site?.timeZone ?? 'UTC') : new Date(text)).toISOString();
    },
  };
}

export function describeLostMedia({ counts, example }: LostMedia): Omit<StoredWarning, 'field'> {
  const list = counts.map(([kind, count]) => countNoun(count, kind)).join(', ');
  return {
    problem: `has ${list} without a usable address, left out`,
    shown: example || 'no address',
    advice: 'Correct the address in the text, or disable the plugin that lazy-loads it.',
  };
}
