export { searchNumbers } from './search-numbers.ts';
export { searchText } from './search-text.ts';
