/**
 * Endpoints that share one function in a deployed project. A project may run only a limited number
 * of functions and processors, and one busy function starts faster than many idle ones. The members
 * of a group share its secrets, so only endpoints that need a secret are in its group.
 */
const GROUPS: Readonly<Record<string, RegExp>> = {
  payments:
    /^(pay_\w+|payment_return|payment_webhook|start_payment|refund_payment|resolve_payment|get_providers|run_sweep|message_webhook)$/,
  maps: /^(googleapis-\w+|import_bookings)$/,
}
/** Endpoints with a function of their own: the two calls of a booking, and the first admin's. */
const SEPARATE: readonly string[] = ['create_booking', 'advance_booking', 'setup']
const DEFAULT_GROUP = 'api'

/** Returns the function of a deployed project that serves an endpoint. */
export const getDeployedFunction = (endpoint: string): string => {
  if (SEPARATE.includes(endpoint)) return endpoint
  const group = Object.entries(GROUPS).find(([, members]) => members.test(endpoint))
  return group?.[0] ?? DEFAULT_GROUP
}

/**
 * Returns the path of an endpoint below the address of a deployed project's functions, such as
 * `api/track`. In the emulator each endpoint has its own function, and its name is its path.
 */
export const getDeployedPath = (endpoint: string): string => {
  const name = getDeployedFunction(endpoint)
  return name === endpoint ? endpoint : `${name}/${endpoint}`
}
