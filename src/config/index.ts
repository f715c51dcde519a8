export {
  defineConfig,
  HOSTS,
  options,
  type AssortmentRow,
  type EtimFeature,
  type Host,
  type Options,
  type OptionsInput,
} from './options.ts';
export {
  parseFieldValue,
  sourceNames,
  type FieldValue,
  type FieldValues,
  type ProductFields,
} from './product-fields.ts';
export type { ProductFieldOptions } from './site-options.ts';
export {
  namespaceNames,
  readEnvironment,
  resolveSettings,
  withBasePath,
  type Account,
  type Environment,
  type ProductUpstream,
  type PublishingUpstream,
  type Settings,
  type Upstreams,
} from './settings.ts';
