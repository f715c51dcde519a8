import type { ProductRequest } from './authenticate-caller.ts';
import type { RouteResponseInput, RouteDeclaration } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Renderer } from './renderers.ts';

/** One address of the interface: its route and its handler. */
export interface ProductView<R extends RouteDeclaration = RouteDeclaration> {
  route: R;
  /** Name in `OPTIONS` responses and in the page's heading. */
  name: string;
  /** In order of preference. */
  renderers: readonly Renderer[];
  /**
   * Returns the value to render, or a finished response.
   *
   * @throws ProductRefusal
   */
  read(context: OriginContext, visit: ProductRequest): Promise<RouteResponseInput<R> | Response>;
}
