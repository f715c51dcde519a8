import { z } from 'zod';
import { isGtin13 } from '#contracts/index.ts';
import { canReadProducts } from '#origin/platform/accounts/product-tokens.ts';
import { findProduct } from './find-product.ts';
import { presentProduct } from './present-product.ts';
import { product } from '#origin/platform/store/schema.ts';
import { defineAbility } from '#origin/platform/abilities/ability.ts';

export const getProduct = defineAbility({
  name: 'sortiment/get-product',
  label: 'Get Product',
  description: 'Reads a product by its GTIN, in the given language or otherwise in the main language.',
  category: 'site',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: z.strictObject({
    gtin: z
      .string()
      .refine(isGtin13)
      .meta({ description: 'GTIN-13', pattern: String.raw`^\d{13}$` }),
    language: z.string().optional().describe('Language code, such as de-de'),
  }),
  output: z.record(z.string(), z.unknown()).describe('The record in the form of the product interface.'),
  errors: { sortiment_product_not_found: 404 },
  isAvailable: async ({ store }) => (await store.db.select({ gtin: product.gtin }).from(product).limit(1)).length > 0,
  mayRun: ({ user }) => user !== undefined && canReadProducts(user),
  async run({ gtin, language }, { context, refuse }) {
    const found = await findProduct(context, gtin, language);
    if (!found) throw refuse('sortiment_product_not_found', `No product has the GTIN ${gtin}.`);
    return presentProduct(context, found.record);
  },
});
