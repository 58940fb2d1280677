// A payment provider with its payers' banks, for random histories. Deployed code never imports it.
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { createRefundKey } from '~/domain/payments/paymentAttempt'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type { Random } from '~/domain/data/seededRandom'
import {
  ProviderError,
  ProviderRejectedError,
  type Adapter,
  type PaymentRef,
} from '../ports/paymentAdapter'
import type { MinorUnits } from '~/domain/language/units'

interface BankRefund {
  id: string
  /** Our key; missing for a refund from the dashboard. */
  key?: string
  minor: MinorUnits
  state: ProviderRefund['state']
}
interface BankDispute {
  id: string
  minor: MinorUnits
  won: number | null
}
/** One charge of a card. */
interface Charge {
  payment: string
  ref: string
  minor: MinorUnits
  refunds: BankRefund[]
  disputes: BankDispute[]
}

const CURRENCY = 'UYU'
const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0)
const isOut = ({ state }: BankRefund): boolean => state !== 'failed'

/** Returns what a charge has sent back to the card, and what the bank has taken back. */
export const getMoneyOut = ({ refunds, disputes }: Charge) => ({
  card: sum(refunds.filter(isOut).map(({ minor }) => minor)),
  bank: sum(disputes.map(({ minor, won }) => minor - (won ?? 0))),
})

/**
 * Creates the provider. Like a real one, it never returns more than a charge has left. Its messages
 * wait in `messages` until the test delivers them: late, twice and in any order.
 */
export const createBank = (random: Random) => {
  const charges: Charge[] = []
  const messages: PaymentEvent[] = []
  let made = 0
  const find = (ref: string | undefined) => charges.find((charge) => charge.ref === ref)
  const getLeft = (charge: Charge): number => {
    const { card, bank } = getMoneyOut(charge)
    return charge.minor - card - bank
  }
  const tell = (
    { payment, ref }: Charge,
    message: Pick<PaymentEvent, 'status' | 'minor'> & Partial<PaymentEvent>,
  ) => {
    const event = { payment, gateway: 'test', ref, currency: CURRENCY, ...message }
    messages.push(event, ...(random.chance(0.3) ? [event] : []))
  }
  const tellRefund = (charge: Charge, { id, key, minor }: BankRefund) =>
    tell(charge, { status: 'refunded', minor, refundId: id, ...(key && { key }) })
  /** Returns a part of an amount, often all of it. */
  const drawPart = (most: number): number =>
    random.chance(0.4) ? most : random.integer(1, Math.max(1, most))

  const adapter: Pick<Adapter, 'refund' | 'listRefunds'> = {
    async refund({ ref, payment }: PaymentRef, minor, key) {
      const charge = find(ref)
      const known = charge?.refunds.find((refund) => refund.key === key)
      if (!charge || (!known && minor > getLeft(charge)))
        throw new ProviderRejectedError('The charge has not that much left.')
      if (known?.state === 'failed') throw new ProviderRejectedError('The refund has failed.')
      const state = random.chance(0.8) ? 'done' : 'pending'
      const refund: BankRefund = known ?? { id: `re_${made++}`, key, minor, state }
      if (!known) charge.refunds.push(refund)
      if (refund.state === 'done' && random.chance(0.5)) tellRefund(charge, refund)
      if (random.chance(0.2)) throw new ProviderError('The answer was lost.')
      if (refund.state === 'pending') return 'pending'
      const { id: refundId } = refund
      const event = { payment, gateway: 'test', ref: charge.ref, minor, currency: CURRENCY }
      return { ...event, status: 'refunded', refundId }
    },
    listRefunds: ({ ref }) =>
      Promise.resolve(
        (find(ref)?.refunds ?? []).map(({ minor, state, key }) => ({
          minor,
          state,
          ...(key && { key }),
        })),
      ),
  }

  return {
    adapter,
    charges,
    messages,
    /** Charges a card for an attempt, sometimes a wrong amount and sometimes two or three times. */
    charge(payment: string, minor: MinorUnits) {
      const wrong = random.chance(0.05) ? random.pick([-1, 1]) : 0
      const times = random.chance(0.08) ? random.integer(2, 3) : 1
      for (let time = 0; time < times; time++) {
        const charge: Charge = {
          payment,
          ref: `ch_${made++}`,
          minor: minor + wrong,
          refunds: [],
          disputes: [],
        }
        charges.push(charge)
        tell(charge, { status: 'paid', minor: charge.minor })
      }
    },
    /** Lets something happen at the bank or in the provider's dashboard. */
    act() {
      const charge = random.pick(charges)
      if (!charge) return
      const left = getLeft(charge)
      const [pending] = charge.refunds.filter(({ state }) => state === 'pending')
      const [done] = charge.refunds.filter(({ state, key }) => state === 'done' && key)
      const [open] = charge.disputes.filter(({ won }) => won === null)
      const kind = random.pick(['dispute', 'dispute', 'win', 'win', 'dashboard', 'settle', 'fail'])
      if (kind === 'dispute' && left > 0) {
        const dispute: BankDispute = { id: `dp_${made++}`, minor: drawPart(left), won: null }
        charge.disputes.push(dispute)
        tell(charge, { status: 'chargeback', minor: dispute.minor, refundId: dispute.id })
      }
      if (kind === 'win' && open) {
        open.won = random.chance(0.8) ? open.minor : random.integer(1, open.minor)
        tell(charge, { status: 'chargeback_won', minor: open.won, refundId: open.id })
      }
      if (kind === 'dashboard' && left > 0) {
        const refund: BankRefund = { id: `re_${made++}`, minor: drawPart(left), state: 'done' }
        charge.refunds.push(refund)
        tellRefund(charge, refund)
      }
      if (kind === 'settle' && pending) this.settle(charge, pending)
      if (kind === 'fail' && done?.key) {
        done.state = 'failed'
        const { key, minor } = done
        tell(charge, { status: 'refund_failed', minor, key, refundId: `failed_${done.id}` })
      }
    },
    settle(charge: Charge, refund: BankRefund) {
      refund.state = random.chance(0.7) ? 'done' : 'failed'
      const { key, minor } = refund
      if (refund.state === 'done') tellRefund(charge, refund)
      else
        tell(charge, {
          status: 'refund_failed',
          minor,
          refundId: `failed_${refund.id}`,
          ...(key && { key }),
        })
    },
    settleAll() {
      for (const charge of charges)
        for (const refund of charge.refunds)
          if (refund.state === 'pending') this.settle(charge, refund)
    },
    /** Removes a random message and returns it. */
    takeMessage(): PaymentEvent | undefined {
      const [message] = messages.splice(random.integer(0, messages.length - 1), 1)
      return message
    },
    /** True while our refund of this key may still move at the bank. */
    isOpen: (payment: string, refund: string) =>
      charges.some(({ refunds }) =>
        refunds.some(
          ({ key, state }) => key === createRefundKey(payment, refund) && state === 'pending',
        ),
      ),
  }
}
export type Bank = ReturnType<typeof createBank>
