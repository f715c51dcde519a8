export { decodeEntities } from './decode-entities.ts';
export {
  ADDRESSES,
  ELEMENTS,
  GENERAL_ATTRIBUTES,
  ID_LISTS,
  INLINE,
  MATH,
  REPLACED,
  VOID,
  type ElementRule,
} from './elements.ts';
export {
  CLOSED,
  decodeHtml,
  escapeHtml,
  escapeXml,
  htmlPieces,
  openTag,
  xmlSection,
  type HtmlPiece,
} from './html-text.ts';
export { htmlIds, ID_PREFIX, prefixedId } from './html-text.ts';
export { htmlText } from './html-text.ts';
