import type { RouteDeclaration } from '../../contracts/index.ts';
import type { OriginContext } from '../origin-context.ts';
import type { ProductCaller } from './authenticate-caller.ts';
import type { Renderer } from './renderers.ts';

/** A request as a view sees it. */
export interface ProductVisit {
  method: string;
  /** Path and query as they were sent. */
  target: string;
  /** Captures of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** A header of the request. */
  header(name: string): string | undefined;
  caller?: ProductCaller | undefined;
}

/** One address of the interface: its route, and what stands behind it. */
export interface ProductView {
  route: RouteDeclaration;
  /** As `OPTIONS` and the page's heading name it. */
  name: string;
  /** In the order the server prefers. */
  renderers: readonly Renderer[];
  /**
   * The value to be rendered, or a finished response of a form that isn't rendered.
   *
   * @throws ProductRefusal
   */
  read(context: OriginContext, visit: ProductVisit): Promise<unknown>;
}
