/** Of GS1's Web Vocabulary 1.16; older material names `https://gs1.org/voc/`. */
const GS1 = 'https://ref.gs1.org/voc/';

/** Link types of GS1's Web Vocabulary that a catalogue has something for. */
export const LINK_TYPES = {
  /** Where to go when nothing else is asked for. */
  default: `${GS1}defaultLink`,
  /** The same, by language. */
  defaultMulti: `${GS1}defaultLinkMulti`,
  /** Product information page. */
  page: `${GS1}pip`,
  image: `${GS1}relatedImage`,
  /** Data about the product for machines. */
  data: `${GS1}masterData`,
  safety: `${GS1}safetyInfo`,
  certification: `${GS1}certificationInfo`,
} as const;
