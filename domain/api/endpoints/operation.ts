import * as v from 'valibot'
import type { CurrencyChangePlan } from '../../money/currencyChange'
import { changeCurrencySchema } from '../inputs/money'
import { runSweepSchema, setupSchema } from '../inputs/office'
import { record, id, count, noInput } from '../outputFields'

export const OPERATION_ENDPOINTS = {
  setup: { input: setupSchema, output: v.object({ success: v.literal(true), admin: id }) },
  change_currency: {
    input: changeCurrencySchema,
    output: v.object({
      code: v.string(),
      decimal: count,
      symbol: v.string(),
      changed: v.boolean(),
      /** The amounts left in the old currency; null when the currency stays. */
      plan: v.nullable(record<CurrencyChangePlan>('CurrencyChangePlan')),
    }),
  },
  run_sweep: {
    input: runSweepSchema,
    output: v.object({
      /** Ids of bookings. */
      expired: v.array(id),
      dispatched: v.array(id),
      reminded: v.array(id),
      stuck: v.array(id),
      /** Ids of settled payment attempts. */
      payments: v.array(id),
    }),
  },
  health: { input: noInput, output: v.object({ ok: v.literal(true), set_up: v.boolean() }) },
} as const
