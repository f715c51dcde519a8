export { foldColumn, foldText } from './search-condition.ts';
export { parseSearch, type SearchTerms } from './search-condition.ts';
export { rankRelevance } from './search-condition.ts';
export { matches, searchCondition } from './search-condition.ts';
