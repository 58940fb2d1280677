import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { SkeletonLines } from '~/src/ui/feedback/states'
import type { ReasonChoice } from './useCancellationReasons'
import css from './ReasonChoices.module.css'

/** Asks why a booking is canceled. Shows that the reasons are loading. */
export const ReasonChoices = ({
  legend,
  reasons,
  loading,
  value,
  onChange,
}: {
  legend?: string
  reasons: readonly ReasonChoice[]
  loading: boolean
  value: string | null
  /** Receives the text that the booking stores. */
  onChange: (reason: string) => void
}) => {
  const { t } = useTranslation()
  const name = useId()
  if (loading) return <SkeletonLines lines={4} height="2.75rem" />
  return (
    <fieldset className={css.reasons}>
      <legend className={legend ? undefined : 'visually-hidden'}>
        {legend ?? t('cancellation_reason')}
      </legend>
      {reasons.map((reason) => (
        <label key={reason.value}>
          <input
            type="radio"
            name={name}
            checked={value === reason.value}
            onChange={() => onChange(reason.value)}
          />
          <span>{reason.text}</span>
        </label>
      ))}
    </fieldset>
  )
}
