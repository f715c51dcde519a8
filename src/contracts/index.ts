// Excludes route declarations and imports, because every build loads this file.
export { countNoun, formatIssueLines, formatValue, type IssueLines } from './parse-value.ts';
export { cleanText, cleanTexts, decodePercent, toSingleLine } from './scan-text.ts';
export { portError } from './sortiment-error.ts';
export { formatProblems, parseValue, type Problem, type ParseResult, type StoredWarning } from './parse-value.ts';
export {
  classifyGtin,
  gtinCheckDigit,
  isGtin13,
  parseGtin,
  toGtin14,
  type GtinClass,
  type GtinParseResult,
} from './gtin.ts';
export { MEDIA_FILES, findMediaFile, type MediaFile } from './media-file.ts';
export { hasStockNames, STOCK_NAMESPACES, toNeutralPath, toWirePath, type NamespaceMap } from './namespaces.ts';
export {
  fillPath,
  MAX_RESPONSE_BYTES,
  route,
  type Access,
  type HttpMethod,
  type RouteResponseInput,
  type RouteBody,
  type RouteDeclaration,
  type RouteErrors,
  type RouteParams,
  type RouteQuery,
  type RouteQueryInput,
  type RouteResponse,
} from './route.ts';
export { COMMON_ERRORS, errorPicker, type CommonErrorCode, type ErrorStatus, type ErrorTable } from './route.ts';
export { isSortimentError, getErrorMessage, SortimentError, type SortimentErrorOptions } from './sortiment-error.ts';
export { describeSystemError, type SystemError } from './sortiment-error.ts';
export { TIME_ZONE } from './site-clock.ts';
export { hasUserInfo, maskUserInfo, withoutUserInfo, withoutUserInfos } from './user-info.ts';
export { splitList, wireBoolean, wireDateTime, wireInteger, wireList, wireNumber } from './wire.ts';
export {
  findSpans,
  findTags,
  forwardFinder,
  replaceTags,
  stripTags,
  tagEndFinder,
  trimTrailing,
  type TextSpan,
  type TagSpan,
} from './scan-text.ts';
export { isTimeoutCode, describeNetworkError } from './sortiment-error.ts';
