import type { Draft } from '../changeDraft'
import { isFullyPrepaid, toPacketFields, buildPacket } from './paymentPacket'
import type { TransitionArgs } from '../eventArgs'
import type { PaymentMode, PaymentPacket } from '../types'

/** Changes the part of the price that the card has paid; the customer owes the rest. */
export const setCardPart = (
  draft: Draft,
  { booking, context: { settings } }: TransitionArgs,
  packet: PaymentPacket,
  { card, mode }: { card: number; mode: PaymentMode },
) => {
  const { decimal } = settings
  const owed = buildPacket(booking, settings, {
    mode,
    discount: packet.discount_amount,
    wallet: packet.usedWalletMoney,
    card,
    promo: packet.promo_details ?? null,
  })
  draft.setFields({ ...toPacketFields(owed), prepaid: isFullyPrepaid(owed, decimal) })
}
