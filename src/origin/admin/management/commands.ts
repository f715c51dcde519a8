import { IMPORT_STEPS } from '#contracts/index.ts';
import {
  beginImport,
  checkProducts,
  checkRecords,
  findAbsent,
  putProductRecords,
  putRecords,
  putSettings,
  settleReferences,
} from '#origin/admin/import/index.ts';
import { removeDemo } from '#origin/admin/seed/remove-demo.ts';
import { addLanguage } from './add-language.ts';
import type { Command } from './command.ts';
import { createToken } from './create-token.ts';
import { createUser } from './create-user.ts';
import { disableUser } from './disable-user.ts';
import { importProducts } from './import-products.ts';
import { listLanguages } from './list-languages.ts';
import { listProducts } from './list-products.ts';
import { listTokens } from './list-tokens.ts';
import { listUsers } from './list-users.ts';
import { removeProduct } from './remove-product.ts';
import { revokeToken } from './revoke-token.ts';
import { setProduct } from './set-product.ts';

/** What an operator can do, by the words that are typed; `import …` are the steps of one command. */
export const COMMANDS = {
  'token create': createToken,
  'token list': listTokens,
  'token revoke': revokeToken,
  'product set': setProduct,
  'product import': importProducts,
  'product remove': removeProduct,
  'product list': listProducts,
  'user create': createUser,
  'user list': listUsers,
  'user disable': disableUser,
  'language add': addLanguage,
  'language list': listLanguages,
  'demo remove': removeDemo,
  [IMPORT_STEPS.begin.name]: beginImport,
  [IMPORT_STEPS.check.name]: checkRecords,
  [IMPORT_STEPS.put.name]: putRecords,
  [IMPORT_STEPS.settings.name]: putSettings,
  [IMPORT_STEPS.settle.name]: settleReferences,
  [IMPORT_STEPS.absent.name]: findAbsent,
  [IMPORT_STEPS.productCheck.name]: checkProducts,
  [IMPORT_STEPS.productPut.name]: putProductRecords,
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;
