import {
  getSettings,
  getStatus,
  getTaxonomy,
  getType,
  listStatuses,
  listTaxonomies,
  listTypes,
} from '../../contracts/core/index.ts';
import type { RouteRegistry } from '../publishing/transport/index.ts';
import { answerSettings, permitSettings } from './site-resources/settings.ts';
import { answerStatus, answerStatuses, permitStatus, permitStatuses } from './site-resources/statuses.ts';
import { answerTaxonomies, answerTaxonomy, permitTaxonomies, permitTaxonomy } from './site-resources/taxonomies.ts';
import { answerType, answerTypes, permitType, permitTypes } from './site-resources/types.ts';

/** Serves what there is of kinds of content, statuses, kinds of terms, and settings. */
export function serveSiteResources(registry: RouteRegistry): void {
  registry.serve(listTypes, answerTypes, { permit: permitTypes });
  registry.serve(getType, answerType, { permit: permitType });
  registry.serve(listStatuses, answerStatuses, { permit: permitStatuses });
  registry.serve(getStatus, answerStatus, { permit: permitStatus });
  registry.serve(listTaxonomies, answerTaxonomies, { permit: permitTaxonomies });
  registry.serve(getTaxonomy, answerTaxonomy, { permit: permitTaxonomy });
  registry.serve(getSettings, answerSettings, { permit: permitSettings });
}
