export { searchNumbers } from './numbers-output.ts';
export { searchText } from './search-output.ts';
