import { useTranslation } from 'react-i18next'
import { getTipLimit, getTips, isTipOpen, suggestTips } from '~/domain/booking/events/tip/tipLimits'
import { tipForm } from '~/domain/forms/tipForm'
import { toMinorUnits } from '~/domain/money/money'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { Button } from '~/src/ui/controls'
import { NumberField } from '~/src/ui/forms/fields'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { useFormat } from '~/src/ui/format/format'
import { Link } from '~/src/ui/navigation/router'
import { useNow } from '~/src/ui/useNow'
import css from './TipPanel.module.css'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Milliseconds between checks for the end of the time for tips. */
const RECHECK_MS = 60_000

interface Tip {
  booking: Booking
  profile: User
  settings: Settings
}

/** Returns a function that gives a tip: once, also when it repeats an amount without a response. */
const useGiveTip = (booking: Booking) => {
  const dispatch = useAppDispatch()
  const { getKey, reset } = useIdempotencyKey()
  return async (amount: number) => {
    const tip = { booking_id: booking.id, amount }
    const request_id = await getKey(tip)
    await dispatch(advanceBooking.quiet({ ...tip, event: 'tip', request_id })).unwrap()
    reset()
    dispatch(noticeRaised({ tone: 'success', text: 'tip_thanks' }))
  }
}

const TipForm = ({ booking, profile, settings }: Tip) => {
  const { t } = useTranslation()
  const format = useFormat()
  const giveTip = useGiveTip(booking)
  const { decimal } = settings
  const balance = Math.max(0, profile.walletBalance)
  const { form, element, field, submit, isSubmitting, problem } = useSchemaForm({
    schema: tipForm({ balance, limit: getTipLimit(booking, settings), decimal }),
    initial: { amount: null },
    onSubmit: async ({ amount }) => {
      await giveTip(amount)
      form.reset()
    },
  })
  const chosenAmount: unknown = form.watch('amount')
  const isShort =
    typeof chosenAmount === 'number' &&
    toMinorUnits(chosenAmount, decimal) > toMinorUnits(balance, decimal)
  return (
    <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <div className={css.suggestions} role="group" aria-label={t('tip_suggestions')}>
        {suggestTips(booking, settings).map(({ percent, amount }) => (
          <Button
            key={percent}
            aria-pressed={chosenAmount === amount}
            onClick={() => form.setValue('amount', amount, { shouldDirty: true })}
          >
            {format.money(amount)}
          </Button>
        ))}
      </div>
      <NumberField
        label={t('tip_amount')}
        unit="money"
        hint={t('tip_balance', { amount: format.money(balance) })}
        {...field('amount')}
      />
      <Refusal>{problem}</Refusal>
      <div className={css.foot}>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('tip_send')}
        </Button>
        {isShort && <Link to={screenPaths.wallet}>{t('tip_add_money')}</Link>}
      </div>
    </form>
  )
}

/** Lets the rider of a paid booking tip its driver from the wallet, and shows earlier tips. */
export const TipPanel = (tip: Tip) => {
  const { booking, settings } = tip
  const { t } = useTranslation()
  const format = useFormat()
  const isOpen = isTipOpen(booking, useNow(RECHECK_MS)) && getTipLimit(booking, settings) > 0
  const tipTotal = getTips(booking, settings)
  if (!isOpen && tipTotal === 0) return null
  return (
    <section className={css.panel} aria-labelledby="tip-title">
      <h2 id="tip-title">{t('tip_title')}</h2>
      {tipTotal > 0 && <p>{t('tip_given', { amount: format.money(tipTotal) })}</p>}
      {isOpen && <p className={css.muted}>{t('tip_hint')}</p>}
      {isOpen && <TipForm {...tip} />}
    </section>
  )
}
