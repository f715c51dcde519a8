export { productInterface } from './product-interface.ts';
