export { foldColumn, foldText } from './search-condition.ts';
export { parseSearch, type SearchTerms } from './search-condition.ts';
export { rankRelevance } from './search-condition.ts';
export { matchesTerm, searchCondition } from './search-condition.ts';
