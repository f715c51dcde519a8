import { SITE_LOCALE } from '#contracts/core/index.ts';
import type { UserRow } from './index.ts';

/** What users tell of themselves, with what stands for a thing they left empty. */
export function profileOf({ firstName, lastName, nickname, locale, login }: UserRow) {
  return {
    first_name: firstName,
    last_name: lastName,
    nickname: nickname || login,
    locale: locale || SITE_LOCALE,
  };
}
