import { z } from 'zod';
import { route } from '../route.ts';

const routeDescription = z.looseObject({
  namespace: z.string(),
  methods: z.array(z.string()),
  endpoints: z.array(z.looseObject({ methods: z.array(z.string()) })),
});

const routeMap = z.union([z.record(z.string(), routeDescription), z.tuple([])]);

/** Index of the site at the REST root, section 1 of the publishing interface. */
export const siteIndex = z.looseObject({
  name: z.string(),
  description: z.string(),
  url: z.string(),
  home: z.string(),
  gmt_offset: z.number(),
  timezone_string: z.string(),
  page_for_posts: z.int(),
  page_on_front: z.int(),
  show_on_front: z.string(),
  namespaces: z.array(z.string()),
  authentication: z.union([z.record(z.string(), z.unknown()), z.tuple([])]),
  routes: routeMap,
});

export type SiteIndex = z.output<typeof siteIndex>;

export const getSiteIndex = route({
  method: 'GET',
  path: '',
  summary: 'Site data and routes',
  access: 'public',
  /** Any context is accepted; `help` adds the schemas of the resources. */
  query: z.object({ context: z.unknown().default('view') }),
  response: siteIndex,
});

export const namespaceIndex = z.looseObject({ namespace: z.string(), routes: routeMap });
