import type { RequestContext, UserRequestContext } from './requestContext'
import type { Cost, PortsFor } from './costs'

/** The context of a handler that declares these costs; by default, all of them. */
export type HandlerContext<Declared extends Cost = Cost> = RequestContext & PortsFor<Declared>

export type UserHandlerContext<Declared extends Cost = Cost> = UserRequestContext &
  PortsFor<Declared>
