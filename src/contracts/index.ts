// Excludes route declarations and imports, because every build loads this file.
export { countNoun, formatIssueLines, type IssueLines } from './format-issues.ts';
export { cleanText, cleanTexts, onOneLine } from './clean-texts.ts';
export { portError } from './port-error.ts';
export { formatProblems, readValue, type Problem, type Reading, type StoredWarning } from './read-value.ts';
export {
  classifyGtin,
  gtinCheckDigit,
  isGtin13,
  readGtin,
  toGtin14,
  type GtinClass,
  type GtinReading,
} from './gtin.ts';
export { MEDIA_FILES, mediaFileOf, type MediaFile } from './media-file.ts';
export { hasStockNames, STOCK_NAMESPACES, toNeutralPath, toWirePath, type NamespaceMap } from './namespaces.ts';
export {
  fillPath,
  MAX_RESPONSE_BYTES,
  route,
  type Access,
  type HttpMethod,
  type RouteAnswer,
  type RouteBody,
  type RouteDeclaration,
  type RouteErrors,
  type RouteParams,
  type RouteQuery,
  type RouteQueryInput,
  type RouteResponse,
} from './route.ts';
export { COMMON_ERRORS, errorsOf, type CommonErrorCode, type ErrorStatus, type ErrorTable } from './errors.ts';
export { isSortimentError, messageOf, SortimentError, type SortimentErrorOptions } from './port-error.ts';
export { wordSystemError, type SystemError } from './system-error.ts';
export { TIME_ZONE } from './time-zone.ts';
export { hasUserInfo, maskUserInfo, withoutUserInfo, withoutUserInfos } from './user-info.ts';
export { splitList, wireBoolean, wireDateTime, wireInteger, wireList, wireNumber } from './wire.ts';
export {
  findSpans,
  findTags,
  forwardFinder,
  replaceTags,
  stripTags,
  tagEnds,
  trimEndOf,
  type FoundSpan,
  type FoundTag,
} from './scan-text.ts';
export { isTimeoutCode, wordNetworkCode } from './word-network-code.ts';
