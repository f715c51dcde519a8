import {
  getIcon,
  getIconCollection,
  getStatus,
  getTaxonomy,
  getTheme,
  getType,
  listBlockPatternCategories,
  listBlockPatterns,
  listIconCollections,
  listIcons,
  listIconsOfCollection,
  listMenus,
  listPatternCategories,
  listStatuses,
  listTaxonomies,
  listThemes,
  listTypes,
} from '#contracts/core/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { serveSettings } from '#origin/platform/settings/serve-settings.ts';
import { answerPatternCategories, answerPatterns, permitPatterns } from './site-resources/block-patterns.ts';
import { answerNoTerms, permitMenus } from './site-resources/empty-terms.ts';
import {
  answerIcon,
  answerIconCollection,
  answerIconCollections,
  answerIcons,
  permitIcons,
} from './site-resources/icons.ts';
import { answerStatus, answerStatuses, permitStatus, permitStatuses } from './site-resources/statuses.ts';
import { answerTaxonomies, answerTaxonomy, permitTaxonomies, permitTaxonomy } from './site-resources/taxonomies.ts';
import { answerTheme, answerThemes, permitThemes } from './site-resources/themes.ts';
import { answerType, answerTypes, permitType, permitTypes } from './site-resources/types.ts';
import { siteSettings } from './site-resources/site-settings.ts';
import { permitTerms } from './terms/answer-terms.ts';

/** Serves what there is of kinds of content, statuses, kinds of terms, settings, and what editors start from. */
export function serveSiteResources(registry: RouteRegistry): void {
  registry.serve(listTypes, answerTypes, { permit: permitTypes });
  registry.serve(getType, answerType, { permit: permitType });
  registry.serve(listStatuses, answerStatuses, { permit: permitStatuses });
  registry.serve(getStatus, answerStatus, { permit: permitStatus });
  registry.serve(listTaxonomies, answerTaxonomies, { permit: permitTaxonomies });
  registry.serve(getTaxonomy, answerTaxonomy, { permit: permitTaxonomy });
  registry.serve(listThemes, answerThemes, { permit: permitThemes });
  registry.serve(getTheme, answerTheme, { permit: permitThemes });
  registry.serve(listMenus, answerNoTerms, { permit: permitMenus });
  registry.serve(listPatternCategories, answerNoTerms, { permit: permitTerms });
  serveSettings(registry, siteSettings);

  registry.serve(listBlockPatterns, answerPatterns, { permit: permitPatterns });
  registry.serve(listBlockPatternCategories, answerPatternCategories, { permit: permitPatterns });
  registry.serve(listIcons, (call) => answerIcons(call, call.query.collection), { permit: permitIcons });
  registry.serve(listIconsOfCollection, (call) => answerIcons(call, call.params.collection), { permit: permitIcons });
  registry.serve(getIcon, answerIcon, { permit: permitIcons });
  registry.serve(listIconCollections, answerIconCollections, { permit: permitIcons });
  registry.serve(getIconCollection, answerIconCollection, { permit: permitIcons });
}
