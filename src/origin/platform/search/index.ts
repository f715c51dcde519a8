export { foldColumn, foldText } from './fold-text.ts';
export { parseSearch, type SearchTerms } from './parse-search.ts';
export { rankRelevance } from './rank-relevance.ts';
export { matches, searchCondition } from './search-condition.ts';
