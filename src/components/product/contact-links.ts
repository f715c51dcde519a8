import { pickText } from '#contracts/localized.ts';
import type options from 'virtual:sortiment/options';
import type { Ui } from '#i18n/index.ts';

interface ContactedProduct {
  name: string;
  gtin: string;
  item_number: string;
  archived?: unknown;
}

/**
 * Returns the configured ways to ask about a product. The subject of mails names it, so that the recipient can answer
 * at once. Discontinued products have no samples.
 */
export function contactLinks(
  { contact, mainLanguage }: Pick<typeof options, 'contact' | 'mainLanguage'>,
  { name, gtin, item_number, archived }: ContactedProduct,
  { language, t }: Pick<Ui, 'language' | 't'>,
) {
  const number = item_number || gtin;
  const find = (values: string | Readonly<Record<string, string>> = {}) => pickText(values, language, mainLanguage);
  const linkTo = (address: string | undefined, text: string, subject: string) => {
    if (address === undefined) return [];
    const isForm = /^https?:/.test(address);
    return [{ href: isForm ? address : `mailto:${address}?subject=${encodeURIComponent(subject)}`, text }];
  };
  const phone = find(contact.phone);
  const call = phone && {
    href: `tel:${phone.replaceAll(/[^+\d]/g, '')}`,
    text: t('contact.phone', { number: phone }).replaceAll(' ', '\u00A0'),
  };
  return [
    ...linkTo(find(contact.email), t('contact.question', { number }), t('contact.question.subject', { number, name })),
    ...(archived
      ? []
      : linkTo(find(contact.sample), t('contact.sample'), t('contact.sample.subject', { number, name }))),
    ...(call ? [call] : []),
  ];
}
