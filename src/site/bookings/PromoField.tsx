import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DomainError, domainError } from '~/domain/api/errors'
import { type PaymentQuote, quotePayment } from '~/src/features/bookings/paymentQuote'
import { livePromos } from '~/src/features/promos/promos'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, TextInput } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './PaymentDialog.module.css'
import type { Promo } from '~/domain/catalog/types'

export interface AppliedPromo {
  id: string
  name: string
  quote: PaymentQuote
}

const findPromo = (promos: Promo[], typed: string) => {
  const name = typed.trim().toLowerCase()
  return promos.find(({ id, promo_name }) => [id, promo_name].some((n) => n.toLowerCase() === name))
}

/** Shows the promo that reduces the price, and removes it. */
const AppliedPromoNote = ({ name, onRemove }: { name: string; onRemove: () => void }) => {
  const { t } = useTranslation()
  return (
    <p className={css.applied} role="status">
      <Icon name="check" size={18} />
      <span>{t('promo_applied', { name })}</span>
      <Button variant="quiet" size="small" onClick={onRemove}>
        {t('remove')}
      </Button>
    </p>
  )
}

/** Checks a promo code against the booking, so that the rider sees the discount before paying. */
export const PromoField = ({
  bookingId,
  applied,
  onApplied,
}: {
  bookingId: string
  applied: AppliedPromo | null
  onApplied: (promo: AppliedPromo | null) => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { promos } = useLive(livePromos)
  const [typed, setTyped] = useState('')
  const { busy, run } = useSingleRun()
  const [refused, setRefused] = useState<DomainError | null>(null)
  const apply = async () => {
    const promo = findPromo(promos, typed)
    if (!promo) return setRefused(domainError('promo_invalid', 'promo'))
    setRefused(null)
    await run(async () => {
      const input = { booking_id: bookingId, promo: promo.id }
      const quote = await dispatch(quotePayment.quiet(input)).unwrap()
      onApplied({ id: promo.id, name: promo.promo_name, quote })
      setTyped('')
    }).catch((error: unknown) => setRefused(error as DomainError))
  }
  if (applied) return <AppliedPromoNote name={applied.name} onRemove={() => onApplied(null)} />
  return (
    <form
      className={css.promo}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // The dialog may be inside another form.
        event.stopPropagation()
        void apply()
      }}
    >
      <TextInput
        label={t('promo_code')}
        value={typed}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={refused ? translateError(refused, t) : undefined}
        onChange={({ target }) => {
          setTyped(target.value)
          setRefused(null)
        }}
      />
      <Button type="submit" busy={busy} disabled={!typed.trim()}>
        {t('promo_apply')}
      </Button>
    </form>
  )
}
