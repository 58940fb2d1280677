import type * as v from 'valibot'
import { BOOKING_ENDPOINTS } from './endpoints/bookings'
import { PEOPLE_ENDPOINTS } from './endpoints/people'
import { MONEY_ENDPOINTS } from './endpoints/money'
import { MESSAGE_ENDPOINTS } from './endpoints/messages'
import { OPERATION_ENDPOINTS } from './endpoints/operation'
import { MAPS_ENDPOINTS } from './endpoints/maps'

/**
 * The input and the output of every endpoint, described only here. The functions parse requests and
 * build responses by it, the web app and the simulator infer their types from it, and
 * docs/endpoints.md and docs/openapi.json are generated from it.
 */
export const API = {
  ...BOOKING_ENDPOINTS,
  ...PEOPLE_ENDPOINTS,
  ...MONEY_ENDPOINTS,
  ...MESSAGE_ENDPOINTS,
  ...OPERATION_ENDPOINTS,
  ...MAPS_ENDPOINTS,
} as const satisfies Record<string, { input: v.GenericSchema; output: v.GenericSchema }>

export type EndpointName = keyof typeof API
/** The input as a client sends it. */
export type EndpointInput<Name extends EndpointName> = v.InferInput<(typeof API)[Name]['input']>
/** The parsed input as a handler receives it. */
export type ParsedInput<Name extends EndpointName> = v.InferOutput<(typeof API)[Name]['input']>
/** The response of an endpoint. */
export type EndpointOutput<Name extends EndpointName> = v.InferOutput<(typeof API)[Name]['output']>

/** A checkout at a payment provider that start_payment opened. */
export type StartedCheckout = Extract<EndpointOutput<'start_payment'>, { payment_id: string }>

/** Returns true when start_payment opened a checkout, and false when it paid at once. */
export const isStartedCheckout = (
  response: EndpointOutput<'start_payment'>,
): response is StartedCheckout => 'payment_id' in response
