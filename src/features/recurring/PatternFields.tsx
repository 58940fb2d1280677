import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { Checkbox, TextInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { formatWeekday, WEEKDAYS } from './patternFormat'
import css from './recurring.module.css'

/** A weekly pattern as it is typed; texts are empty while missing. */
export interface PatternDraft {
  days: number[]
  time: string
  from: string
  until: string
  hasBack: boolean
  back: string
}

/** The fields that show an error beside them. */
export const PATTERN_FIELDS = ['days', 'from', 'until', 'back', 'time']

/** Returns the errors of a pattern by field. */
export const findPatternErrors = (
  { days, time, from, hasBack, back }: PatternDraft,
  t: TFunction,
): Record<string, string> => ({
  ...(days.length === 0 && { days: t('repeat_days_missing') }),
  ...(time === '' && { time: t('field_required') }),
  ...(from === '' && { from: t('field_required') }),
  ...(hasBack && back === '' && { back: t('field_required') }),
  ...(hasBack && back !== '' && back === time && { back: t('repeat_back_same') }),
})

/** Asks for days, times, the first and the last day, and the return trip. */
export const PatternFields = ({
  draft,
  onChange,
  errors,
}: {
  draft: PatternDraft
  onChange: (changes: Partial<PatternDraft>) => void
  errors: Readonly<Record<string, string | undefined>>
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const daysError = useId()
  const { days, time, from, until, hasBack, back } = draft
  const toggleDay = (day: number) =>
    onChange({ days: days.includes(day) ? days.filter((one) => one !== day) : [...days, day] })
  return (
    <>
      <fieldset className={css.days} aria-describedby={errors.days && daysError}>
        <legend>{t('repeat_days')}</legend>
        {WEEKDAYS.map((day) => (
          <Checkbox
            key={day}
            label={formatWeekday(format.locale, day)}
            checked={days.includes(day)}
            onChange={() => toggleDay(day)}
          />
        ))}
        {errors.days && (
          <p id={daysError} role="alert" className={css.problem}>
            {errors.days}
          </p>
        )}
      </fieldset>
      <div className={css.fields}>
        <TextInput
          required
          type="time"
          label={t('repeat_time')}
          hint={format.timezone}
          value={time}
          error={errors.time}
          onChange={({ target }) => onChange({ time: target.value })}
        />
        <TextInput
          required
          type="date"
          label={t('repeat_from')}
          value={from}
          error={errors.from}
          onChange={({ target }) => onChange({ from: target.value })}
        />
        <TextInput
          type="date"
          label={t('repeat_until')}
          min={from}
          value={until}
          error={errors.until}
          onChange={({ target }) => onChange({ until: target.value })}
        />
      </div>
      <Checkbox
        label={t('repeat_back')}
        checked={hasBack}
        onChange={() => onChange({ hasBack: !hasBack })}
      />
      {hasBack && (
        <TextInput
          required
          type="time"
          label={t('repeat_back_time')}
          hint={back !== '' && back < time ? t('repeat_back_next_day') : undefined}
          value={back}
          error={errors.back}
          onChange={({ target }) => onChange({ back: target.value })}
        />
      )}
    </>
  )
}
