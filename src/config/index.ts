export {
  defineConfig,
  HOSTS,
  options,
  type AssortmentRow,
  type Host,
  type Options,
  type OptionsInput,
} from './options.ts';
export type { FieldValues, ProductFieldOptions, ProductFields } from './site-options.ts';
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
