export { decodeEntities } from './decode-entities.ts';
export {
  URL_ATTRIBUTES,
  ELEMENTS,
  GENERAL_ATTRIBUTES,
  ID_LISTS,
  INLINE_TAGS,
  MATH_TAGS,
  REPLACEMENTS,
  VOID_TAGS,
  type ElementRule,
} from './elements.ts';
export {
  PRESERVED_VOID,
  decodeHtml,
  escapeHtml,
  escapeXml,
  tokenizeHtml,
  openTag,
  toCdata,
  type HtmlToken,
} from './html-text.ts';
export { htmlIds, ID_PREFIX, prefixedId } from './html-text.ts';
export { htmlText } from './html-text.ts';
