import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SaveRecurringInput } from '~/domain/api/inputs/recurring'
import { type DomainError, domainError } from '~/domain/api/errors'
import { getWeekday } from '~/domain/language/zonedTime'
import { translateError } from '~/src/i18n/errorTexts'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'
import { Refusal } from '~/src/ui/forms/Refusal'
import {
  findPatternErrors,
  PATTERN_FIELDS,
  type PatternDraft,
  PatternFields,
} from './PatternFields'
import { PaymentChoice } from './PaymentChoice'
import css from './recurring.module.css'
import recurringTexts from '~/src/i18n/locales/en/recurring.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { useSingleRun } from '~/src/ui/useSingleRun'

/** The part of the request that the dialog asks for. */
export type WeeklyChoice = Pick<
  SaveRecurringInput,
  'days' | 'time' | 'back' | 'from' | 'until' | 'payment' | 'addressesConfirmed'
>

interface Props {
  /** The local time of the first trip, yyyy-mm-ddThh:mm. */
  when: string
  /** The current price of one trip. */
  price: number
  /** True when each trip is paid before it starts. */
  asksPayment: boolean
  /** The office's button that confirms a refused address. */
  addressConfirmation?: string
  /** Saves the choice; a refusal is shown. */
  onSave: (choice: WeeklyChoice) => Promise<void>
  onClose: () => void
}

/** Holds the choice and sends it. */
const useWeeklyChoice = ({ when, asksPayment, addressConfirmation, onSave }: Props) => {
  const { t } = useTranslation()
  const first = when.slice(0, 10)
  const [draft, setDraft] = useState<PatternDraft>({
    days: [getWeekday(first)],
    time: when.slice(11, 16),
    from: first,
    until: '',
    hasBack: false,
    back: '',
  })
  const [payment, setPayment] = useState<'cash' | 'wallet'>('cash')
  const [refused, setRefused] = useState<DomainError | null>(null)
  const [tries, setTries] = useState(0)
  const { busy, run } = useSingleRun({ isLast: true })

  const wrong = findPatternErrors(draft, t)
  const errors: Record<string, string | undefined> = {
    ...(tries > 0 && wrong),
    ...(refused?.field && { [refused.field]: translateError(refused, t) }),
  }
  const mayConfirm = addressConfirmation !== undefined && refused?.key === 'address_elsewhere'
  const isShownAtField = PATTERN_FIELDS.includes(refused?.field ?? '')
  const save = async () => {
    setTries(tries + 1)
    setRefused(null)
    if (Object.keys(wrong).length > 0) return
    const { days, time, from, until, hasBack, back } = draft
    await run(() =>
      onSave({
        days,
        time,
        from,
        ...(until !== '' && { until }),
        ...(hasBack && { back }),
        ...(asksPayment && { payment }),
        ...(mayConfirm && { addressesConfirmed: true as const }),
      }),
    ).catch((error: unknown) =>
      setRefused('key' in (error as object) ? (error as DomainError) : domainError('bad_input')),
    )
  }
  return {
    draft,
    setDraft,
    payment,
    setPayment,
    refused,
    errors,
    mayConfirm,
    isShownAtField,
    busy,
    save,
  }
}

/** Asks how a booking for later repeats: days, last day, return trip, and how a parcel is paid. */
export const RepeatDialog = (props: Props) => {
  useAddedTexts(recurringTexts)
  const { t } = useTranslation()
  const format = useFormat()
  const { price, asksPayment, addressConfirmation, onClose } = props
  const { draft, errors, refused, ...choice } = useWeeklyChoice(props)
  return (
    <Dialog
      title={t('repeat_weekly')}
      onClose={onClose}
      actions={
        <Button
          variant="accent"
          size="large"
          wide
          busy={choice.busy}
          onClick={() => void choice.save()}
        >
          {choice.mayConfirm ? addressConfirmation : t('repeat_save')}
        </Button>
      }
    >
      <PatternFields
        draft={draft}
        errors={errors}
        onChange={(changes) => choice.setDraft({ ...draft, ...changes })}
      />
      {asksPayment && <PaymentChoice value={choice.payment} onChange={choice.setPayment} />}
      <p className={css.note}>{t('repeat_price', { price: format.money(price) })}</p>
      <p className={css.note}>{t('repeat_ahead')}</p>
      {!choice.isShownAtField && <Refusal error={refused} />}
    </Dialog>
  )
}
