import type { NumberTexts } from '#enhance/number-field.ts';
import type { Ui } from '#i18n/index.ts';

/** Returns the messages for invalid input in a number field, used by its script. */
export function readingTexts({ t }: Ui): Pick<NumberTexts, 'empty' | 'no_number' | 'ambiguous'> {
  return { empty: t('number.empty'), no_number: t('number.no_number'), ambiguous: t('number.ambiguous') };
}

/** Returns the messages for numbers that can't be calculated with. */
export function numberTexts(ui: Ui): NumberTexts {
  const { t } = ui;
  return {
    ...readingTexts(ui),
    positive: t('number.positive'),
    percent: t('number.percent'),
    joint: t('number.joint'),
  };
}
