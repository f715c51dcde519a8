/** Where the product interface lives below its base address. */
export const PRODUCT_ROOT = 'api/partner/v1/';
